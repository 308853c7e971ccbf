"""Small JATS articles of our own, in the shapes in which PMC, SciELO and publishers write them."""

SPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'

ARTICLE = f"""<article {SPACES} article-type="research-article" xml:lang="en"><?properties open_access?>
<front><journal-meta><journal-id journal-id-type="nlm-ta">J Small Rec</journal-id>
<journal-id journal-id-type="iso-abbrev">J. Small Rec.</journal-id>
<journal-title-group><journal-title>Journal of Small Records</journal-title></journal-title-group>
<issn pub-type="ppub">1111-0001</issn><issn pub-type="epub">1111-0002</issn></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/small.1</article-id>
<article-id pub-id-type="pmid">99000001</article-id><article-id pub-id-type="pmc">9900001</article-id>
<article-id pub-id-type="publisher-id">JSR-1</article-id>
<title-group><article-title>Zinc in <italic>Rattus</italic> kidneys<xref ref-type="fn"
rid="n0">*</xref></article-title>
<subtitle>a small trial</subtitle></title-group>
<contrib-group>
<contrib contrib-type="author" equal-contrib="yes"><contrib-id
contrib-id-type="orcid">https://orcid.org/0000-0002-1825-0097</contrib-id>
<name><surname>Diop</surname><given-names>Awa N.</given-names></name><xref ref-type="aff" rid="a1
a2"><sup>1,2</sup></xref></contrib>
<contrib
contrib-type="author"><name><surname>Sow</surname><given-names>Ibra</given-names><suffix>Jr</suffix></name>
<xref ref-type="aff" rid="a2"><sup>2</sup></xref></contrib>
<contrib contrib-type="author"><collab>Kidney
Group<contrib-group><contrib><name><surname>Ba</surname><given-names>Ndeye</given-names></name></contrib></contrib-group></collab></contrib>
</contrib-group>
<contrib-group><contrib
contrib-type="editor"><name><surname>Fall</surname><given-names>Omar</given-names></name></contrib></contrib-group>
<aff id="a1"><label>1</label><institution-wrap><institution-id
institution-id-type="ror">https://ror.example/01</institution-id><institution>Institute of
Salt</institution></institution-wrap>, Dakar, <country>Senegal</country></aff>
<aff id="a2"><label>2</label><institution>School of Ore</institution><addr-line>Thies</addr-line></aff>
<author-notes><fn fn-type="conflict"><p><bold>Competing interests:</bold> Awa Diop sells
zinc.</p></fn></author-notes>
<pub-date pub-type="collection"><year>2021</year></pub-date>
<pub-date pub-type="epub"><day>03</day><month>02</month><year>2021</year></pub-date>
<pub-date pub-type="pmc-release"><day>4</day><month>3</month><year>2021</year></pub-date>
<volume>7</volume><issue>2</issue><fpage>11</fpage><lpage>19</lpage>
<history><date date-type="rev-recd"><day>9</day><month>1</month><year>2021</year></date></history>
<permissions><copyright-statement>© 2021 The Authors</copyright-statement><license><license-p>Free to copy
(<ext-link xlink:href="https://licence.example/by"/>).</license-p></license></permissions>
<abstract><sec><title>Methods:</title><p>We fed rats
ZnSO<sub>4</sub>.</p></sec><sec><title>Results</title><p>Kidneys grew.</p></sec></abstract>
<abstract abstract-type="plain-language-summary"><title>In short</title><p>Salt made kidneys
big.</p></abstract>
<abstract abstract-type="graphical"><p><fig><graphic xlink:href="g.jpg"/></fig></p></abstract>
<kwd-group kwd-group-type="author"><kwd>zinc</kwd><kwd>kidney</kwd></kwd-group>
<kwd-group kwd-group-type="abbr"><kwd>GFR</kwd></kwd-group>
<funding-group><award-group><funding-source country="Senegal"><institution-wrap><institution>Salt
Fund</institution><institution-id>http://dx.example/1</institution-id></institution-wrap></funding-source><award-id>SF-1</award-id><award-id>SF-2</award-id></award-group></funding-group>
</article-meta></front>
<body><p>Zinc is a metal<sup><xref ref-type="bibr" rid="r1">1</xref>–<xref ref-type="bibr"
rid="r2">2</xref></sup>. It was found in 25<xref ref-type="bibr" rid="r1"><sup>2</sup></xref> rats [<xref
ref-type="bibr" rid="r1">1</xref>, <xref ref-type="bibr" rid="r2">2</xref>], as Ba et al. [<xref
ref-type="bibr" rid="r2">2</xref>]. Others disagree (<xref ref-type="bibr" rid="r3">Mbaye, 2001</xref>;
see [<xref ref-type="bibr" rid="r2">2</xref>, table 3]).</p>
<sec sec-type="methods"><label>2</label><title>Methods</title>
<p>We
used:<list><list-item><label>a</label><p>salt;</p></list-item><list-item><p>water.</p></list-item></list>All
was weighed<fn><p>On a scale.</p></fn> twice (<xref ref-type="fig" rid="f1">Figure 1</xref>).
<fig id="f1"><label>Figure 1.</label><caption><title>Weights of kidneys</title><p>Bars are means [<xref
ref-type="bibr" rid="r1">1</xref>].</p></caption><graphic xlink:href="f1.jpg"/></fig></p>
<sec><title>Statistics.</title><p>The mean was
<inline-formula><alternatives><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math><tex-math>\\documentclass{{minimal}}\\begin{{document}}$$x^2$$\\end{{document}}</tex-math></alternatives></inline-formula>
and then</p>
<disp-formula id="e1"><label>(1)</label><tex-math>\\begin{{document}}$$y \\leq
\\alpha$$\\end{{document}}</tex-math></disp-formula>
<p>where <inline-formula><inline-graphic xlink:href="e.gif"/></inline-formula> is a picture.</p>
<table-wrap><label>Table 1</label><caption><p>Doses of
zinc</p></caption><table><tr><td>cell</td></tr></table><table-wrap-foot><p>Foot.</p></table-wrap-foot></table-wrap></sec></sec>
<sec><title>Results</title><boxed-text><caption><title>Key point</title></caption><p>Kidneys grew by 3
g.</p></boxed-text>
<def-list><def-item><term>GFR</term><def><p>filtered volume</p></def></def-item></def-list></sec>
<sec><title>Authors’ contributions</title><p>AD did it.</p></sec></body>
<back><ack><p>We thank the rats.</p></ack><app-group><app><title>Appendix A</title><p>Recipes of
salts.</p></app></app-group>
<ref-list><ref id="r1"><label>1</label><element-citation publication-type="journal"><person-group
person-group-type="author"><name><surname>Ndour</surname><given-names>Y</given-names></name><etal/></person-group><article-title>Ore
and salt</article-title><source>Ore
J</source><year>1999</year><volume>3</volume><issue>4</issue><fpage>5</fpage><lpage>9</lpage><pub-id
pub-id-type="pmid">99000009</pub-id></element-citation></ref>
<ref id="r2"><mixed-citation><name><surname>Ba</surname><given-names>N</given-names></name>
(<year>2001</year>) <article-title>Salt</article-title>. <source>Salt J</source><volume>4</volume>:
<fpage>1</fpage>. <pub-id pub-id-type="doi">10.5555/salt.4</pub-id></mixed-citation></ref>
<ref id="r3"><mixed-citation>Mbaye M. A book of ores. Dakar; 2001.</mixed-citation></ref></ref-list></back>
<sub-article article-type="reply"><front-stub/><body><p>A reply by
others.</p></body></sub-article></article>"""

TRANSLATED = f"""<article {SPACES} article-type="review-article"
xml:lang="es"><front><journal-meta><journal-title>Revista de Sales</journal-title></journal-meta>
<article-meta><article-id pub-id-type="pmcid">PMC9900002.1</article-id>
<title-group><article-title>Sal y riñón</article-title><trans-title-group xml:lang="en"><trans-title>Salt
and kidney</trans-title><trans-subtitle>a view</trans-subtitle></trans-title-group></title-group>
<contrib-group><contrib contrib-type="author"><string-name>Marta Sal de la
Mina</string-name></contrib><aff>Universidad de la Sal</aff></contrib-group>
<pub-date date-type="pub"
publication-format="print"><season>Spring</season><year>2019</year></pub-date><elocation-id>e7</elocation-id>
<abstract><title>Resumen</title><p>OBJETIVO: Medir la sal. RESULTADOS: Hubo sal.</p></abstract>
<trans-abstract xml:lang="en"><title>Abstract</title><p>We measured salt.</p></trans-abstract>
<kwd-group xml:lang="es"><kwd>sal</kwd></kwd-group><kwd-group xml:lang="en"><kwd>salt</kwd></kwd-group>
</article-meta></front><body><sec sec-type="intro"><title>Introducción</title><p>La sal es
blanca.</p></sec></body>
<sub-article article-type="translation" xml:lang="pt"><front-stub><title-group><article-title>Sal e
rim</article-title></title-group><abstract><p>Medimos o sal.</p></abstract></front-stub><body><p>O
sal.</p></body></sub-article></article>"""

RETRACTION = f"""<article {SPACES} article-type="retraction"><front><article-meta><article-id
pub-id-type="pmid">99000003</article-id>
<title-group><article-title>Retraction: Zinc</article-title></title-group><pub-date
pub-type="ppub"><year>2022</year></pub-date>
<related-article related-article-type="retracted-article" ext-link-type="pmid" xlink:href="99000001"
vol="7" page="11" journal-id="J Small Rec"/>
<related-article related-article-type="companion" ext-link-type="doi"
xlink:href="https://doi.org/10.5555/small.2"><article-title>More zinc</article-title></related-article>
</article-meta></front><body><p>The rats were not ours.</p></body></article>"""

CHINESE = """<article article-type="research-article" xml:lang="zh"><front><article-meta><article-id
pub-id-type="doi">10.5555/small.4</article-id>
<title-group><article-title>锌与肾脏</article-title></title-group><abstract><p>我们测量了锌。</p></abstract></article-meta></front>
<body><sec><title>方法</title><p>大鼠饮用含锌的水<sup>[<xref ref-type="bibr"
rid="b1">1</xref>]</sup>。肾脏变大了。</p></sec></body></article>"""

EMPTY = "<article><front><article-meta><title-group/></article-meta></front></article>"
"""Says nothing."""


def article_set(*articles: str) -> str:
    """What efetch answers for several articles."""
    return f'<?xml version="1.0"?>\n<pmc-articleset>{"".join(articles)}</pmc-articleset>'


def oai(article: str) -> str:
    """What PMC's OAI service answers for one record."""
    inside = article.replace("<article ", '<article xmlns="https://jats.example/ns/archiving/1.4/" ', 1)
    return (
        '<OAI-PMH xmlns="http://oai.example/OAI/2.0/">'
        "<GetRecord><record><header><identifier>oai:x.example:1</identifier></header>"
        f"<metadata>{inside}</metadata></record></GetRecord></OAI-PMH>"
    )
