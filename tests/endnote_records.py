"""EndNote's XML as programs write it, in their exact shapes; papers, people and numbers are made up."""


def styled(text: str) -> str:
    return f'<style face="normal" font="default" size="100%">{text}</style>'


def record(*parts: str, kind: str = "Journal Article", number: int = 17) -> str:
    """A record as EndNote writes it: all on one line."""
    return (
        '<record><database name="My Library.enl" path="C:\\My Library.enl">My Library.enl</database>'
        '<source-app name="EndNote" version="20.6">EndNote</source-app><rec-number>7</rec-number>'
        '<foreign-keys><key app="EN" db-id="x0" timestamp="1">7</key></foreign-keys>'
        f'<ref-type name="{kind}">{number}</ref-type>{"".join(parts)}</record>'
    )


def export(*records: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8" ?><xml><records>{"".join(records)}</records></xml>'


ENDNOTE = record(
    "<contributors><authors>",
    f"<author>{styled('Núñez-Pérez, María José')}</author>",
    f"<author>{styled('World Health Organization,')}</author>",
    f"</authors><translated-authors><author>{styled('Doe, J.')}</author></translated-authors></contributors>",
    f"<auth-address>{styled('Hospital del Sur, Lima, Peru.')}</auth-address>",
    f"<titles><title>{styled('Heart CO')}"
    '<style face="subscript" font="default" size="100%">2</style>'
    f"{styled(' and Ca')}"
    '<style face="bold superscript" font="default" size="100%">2+</style>'
    f"{styled(' &lt; 5')}</title>",
    f"<secondary-title>{styled('J Fict Cardiol')}</secondary-title>",
    f"<alt-title>{styled('Fict. Cardiol.')}</alt-title></titles>",
    f"<periodical><full-title>{styled('Journal of fictional cardiology')}</full-title></periodical>",
    f"<pages>{styled('101-9')}</pages><volume>{styled('12')}</volume><number>{styled('3')}</number>",
    f"<edition>{styled('2022/12/20')}</edition>",
    f"<keywords><keyword>{styled('*Heart Failure')}</keyword>",
    f"<keyword>{styled('Aged&#xD;Ions')}</keyword></keywords>",
    f"<dates><year>{styled('2023')}</year><pub-dates><date>{styled('Jan 10')}</date></pub-dates></dates>",
    f"<isbn>{styled('1234-5660 (Print)&#xD;1234-5679 (Electronic)')}</isbn>",
    f"<accession-num>{styled('39000001')}</accession-num>",
    f"<abstract>{styled('AIM: To see.&#xD;RESULTS: Seen.')}</abstract>",
    f"<notes>{styled('1234-5679&#xD;Núñez-Pérez, María José')}</notes>",
    f"<work-type>{styled('Article')}</work-type>",
    f"<urls><related-urls><url>{styled('https://journal.example/a?b=1&amp;c=2')}</url>",
    f"<url>{styled('&lt;Go to ISI&gt;://WOS:1')}</url></related-urls>",
    "<pdf-urls><url>internal-pdf://1/a.pdf</url></pdf-urls></urls>",
    f"<custom1>{styled('For the review')}</custom1><custom2>{styled('PMC9999991')}</custom2>",
    f"<electronic-resource-num>{styled('10.5555/hfx.2023.001')}</electronic-resource-num>",
    f"<remote-database-provider>{styled('NLM')}</remote-database-provider>",
    f"<research-notes>{styled('Read me')}</research-notes><language>{styled('eng')}</language>",
    f"<access-date>{styled('2023/02/01')}</access-date>",
)
CHINESE = record(
    f"<contributors><authors><author>{styled('王小明;李华')}</author></authors></contributors>",
    f"<titles><title>{styled('虚构心力衰竭的研究')}</title>",
    f"<secondary-title>{styled('虚构医学杂志')}</secondary-title></titles>",
    f"<keywords><keyword>{styled('心力衰竭；钙')}</keyword></keywords>",
    f"<dates><year>{styled('2021')}</year></dates>",
    f"<abstract>{styled('目的 观察。')}</abstract>",
    f"<remote-database-name>{styled('CNKI')}</remote-database-name>",
    f"<language>{styled('Chinese')}</language><custom2>{styled('read twice')}</custom2>",
)
ARABIC = record(
    "<contributors><authors><author>السيد، محمد</author></authors>",
    "<secondary-authors><author>Haddad, L.</author></secondary-authors></contributors>",
    "<titles><title>فصل عن قصور القلب</title><secondary-title>كتاب الطب الخيالي</secondary-title></titles>",
    "<pages>5-9</pages><pub-location>القاهرة</pub-location><publisher>دار الخيال</publisher>",
    "<dates><year>2019</year></dates><isbn>978-0-00-000000-2</isbn><language>ara</language>",
    kind="Book Section",
    number=5,
)
ZOTERO = """\
<record>
  <source-app name="Zotero">Zotero</source-app>
  <ref-type name="Web Page">12</ref-type>
  <titles><title>Zinc page</title></titles>
  <dates><year>2020</year><pub-dates><date>2020-03-05</date></pub-dates></dates>
  <urls><web-urls><url>https://pubmed.ncbi.nlm.nih.gov/39000002/</url></web-urls></urls>
</record>"""

ENW = """\
%0 Journal Article
%A Núñez-Pérez, María José
%A World Health Organization,
%T Heart failure after influenza
%J Journal of fictional cardiology
%B J Fict Cardiol
%D 2023
%8 Jan 10
%V 12
%N 3
%P 101-9
%K *Heart Failure
Aged
%X AIM: To see.
% of them: seen.
%@ 1234-5660
%R 10.5555/hfx.2023.001
%M WOS:000000000000001
%W CNKI
%1 For the review
%[ 2023/02/01
%U https://journal.example/a

%0 Journal Article
%A 王小明
%A 李华
%T 虚构心力衰竭的研究
%J 虚构医学杂志
%D 2021
%K 心力衰竭;钙
%+ 虚构医院
%L 11-0000/R

%0 Thesis
%A السيد، محمد
%T رسالة عن قصور القلب
%I جامعة الخيال
%D 2018
%G Arabic
"""
