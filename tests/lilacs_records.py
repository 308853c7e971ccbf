"""Records of BVS and SciELO in their exact shapes; papers, people and numbers are made up."""

DENGUE = {
    "id": "lil-900001",
    "db": ["LILACS"],
    "type": ["article"],
    "au": ["Silva, João da", "Brasil. Ministério da Saúde"],
    "afiliacao_autor": ["Silva, João da; Universidade Fictícia. Recife. Brasil", "s.af"],
    "ti": ["Febre em cidades fictícias", "Fever in fictional towns", "Fiebre en ciudades ficticias"],
    "ti_pt": ["Febre em cidades fictícias"],
    "ti_en": ["Fever in fictional towns"],
    "ti_es": ["Fiebre en ciudades ficticias"],
    "ab_pt": "OBJETIVO: Ver a febre. MÉTODOS: Foi vista.",
    "ab_en": ["AIM: To see fever. METHODS: It was seen. IgG<sup>+</sup> &lt; 5"],
    "ta": ["Rev. ficc. saúde"],
    "is": ["0000-0019"],
    "vi": ["12"],
    "ip": "3",
    "pg": ["10-19"],
    "fo": ["Rev. ficc. saúde;12(3): 10-19, set. 2021. tab"],
    "la": ["pt"],
    "da": "202109",
    "entry_date": "20211203",
    "update_date": "20220105",
    "mj": ["Dengue/prevention & control"],
    "mh": ["Dengue/prevention & control", "Humans"],
    "kw": ["mosquito"],
    "aid": "10.5555/rfs.2021.7",
    "ur": ["http://www.scielo.example/scielo.php?script=sci_arttext&pid=S0000-00192021000300010"],
    "pais_publicacao": ["^iBrazil^eBrasil^pBrasil^fBrésil"],
    "_version_": 1700000000000000000,
}
SPANISH = {
    "id": "ibc-171001",
    "db": ["IBECS"],
    "type": ["article"],
    "au": ["Núñez, María"],
    "ti": ["Insuficiencia cardíaca en ancianos de pueblos pequeños"],
    "ab": ["Se describe la insuficiencia cardíaca de los ancianos que viven en pueblos pequeños."],
    "ta": ["Rev. fict. cardiol."],
    "la": ["es"],
    "da": "201900",
    "mh": ["Insuficiencia Cardíaca/terapia", "Humanos", "^d123^s45"],
}
THESIS = {
    "id": "biblio-1700001",
    "alternate_id": ["lil-900002"],
    "type": ["thesis", "monography"],
    "au": ["Souza, Ana"],
    "ti_en": ["A thesis on hearts"],
    "la": "en",
    "dp": "2015",
    "cy": "São Paulo",
    "pu": ["s.n"],
    "fo": ["São Paulo; s.n; 2015. 80 p. tab"],
    "pmcid": None,
}
ARTICLE = {
    "code": "S0000-00192021000300010",
    "collection": "scl",
    "doi": "10.5555/rfs.2021.7",
    "publication_year": "2021",
    "citations": [{"v12": [{"_": "A cited paper"}]}],
    "article": {
        "v10": [
            {"_": "", "s": "Silva", "n": "João da", "r": "ND", "1": "A01 A02", "k": "0000-0002-1825-0097"},
            {"_": "", "s": "Souza", "n": "Ana", "1": "A02"},
        ],
        "v11": [{"_": "Rede Fictícia"}],
        "v12": [
            {"_": "Febre em cidades fictícias", "l": "pt"},
            {"_": "Fever in <i>fictional</i> towns", "l": "en"},
            {"_": "Fiebre en ciudades ficticias", "l": "es"},
        ],
        "v14": [{"_": "", "f": "10", "l": "19"}],
        "v31": [{"_": "12"}],
        "v32": [{"_": "3"}],
        "v30": [{"_": "Rev. ficc. saúde"}],
        "v35": [{"_": "0000-0019"}],
        "v40": [{"_": "pt"}],
        "v60": [{"_": "2020/00001-1"}],
        "v65": [{"_": "20210900"}],
        "v70": [
            {
                "i": "A01",
                "_": "Universidade Fictícia",
                "1": "Faculdade",
                "c": "Recife",
                "p": "Brasil",
                "e": "a@b.example",
            },
            {"i": "A02", "_": "Hospital Fictício"},
        ],
        "v71": [{"_": "oa"}],
        "v83": [
            {"_": "", "a": "OBJETIVO: Ver a febre. MÉTODOS: Foi vista.", "l": "pt"},
            {"_": "", "a": "AIM: To see fever. METHODS: It was seen.", "l": "en"},
        ],
        "v85": [
            {"_": "", "d": "nd", "i": "1"},
            {"_": "", "k": "febre", "l": "pt"},
            {"_": "", "k": "fever", "l": "en"},
        ],
        "v112": [{"_": "20210102"}],
        "v114": [{"_": "20210300"}],
        "v237": [{"_": "10.5555/rfs.2021.7"}],
        "v880": [{"_": "S0000-00192021000300010"}],
    },
    "title": {
        "v100": [{"_": "Revista ficcional de saúde"}],
        "v151": [{"_": "Rev. ficc. saúde"}],
        "v310": [{"_": "BR"}],
        "v400": [{"_": "0000-0019"}],
    },
}
ISIS = {
    "v2": [{"_": "900003"}],
    "v4": ["LILACS"],
    "v8": [{"_": "Internet", "u": "https://journal.example/3"}],
    "v10": [{"_": "Núñez, María", "1": "Universidad Ficticia", "p": "Perú"}],
    "v12": [{"_": "Fiebre en ciudades ficticias", "i": "es"}],
    "v13": ["Fever in fictional towns"],
    "v30": ["Rev. fict. med"],
    "v40": ["Es"],
    "v14": "5-9",
    "v65": [20190000],
    "v83": [{"_": "Se vio la fiebre.", "i": "es"}],
    "v87": [{"d": "Fever", "s": "epidemiology"}],
    "v88": [{"_": "Humans"}],
}
RIS = """\
TY  - JOUR
AU  - Silva, João da
AD  - Silva, João da; Universidade Fictícia. Recife. Brasil
TI  - Febre em cidades fictícias do interior
TT  - Fever in fictional towns of the interior
TT  - Fiebre en ciudades ficticias del interior
JO  - Rev. ficc. saúde
VL  - 12
IS  - 3
SN  - 0000-0019
DB  - LILACS
DP  - https://bvsalud.example/
ID  - lil-900001
C8  - lil-900001
LA  - pt
SP  - 10
EP  - 19
DA  - 2021/09
PY  - 2021
AN  - NCT09999991
MH  - Dengue/prevention & control
MH  - Humans
KW  - mosquito
AB  - Este estudo descreve a febre nas cidades fictícias do interior.
AB  - This study describes fever in the fictional towns of the interior.
UR  - https://pesquisa.bvsalud.example/portal/resource/pt/lil-900001
ER  -

TY  - JOUR
AU  - Núñez, María
TI  - Fiebre en ciudades ficticias de la costa
JO  - Revista ficticia de medicina
DB  - SciELO Perú
ID  - S0000-00272020000100005-per
LA  - es
SP  - 5
EP  - 9
DA  - 2020-03
PY  - 2020
AB  - Fever in the towns of the coast was seen and described by the authors.
AB  - Los autores vieron y describieron la fiebre en las ciudades de la costa.
UR  - http://www.scielo.example/scielo.php?script=sci_arttext&pid=S0000-00272020000100005&lang=en
L1  - http://www.scielo.example/pdf/a.pdf
KW  - fiebre
ER  -
"""
CSV = """\
ID,Title,Authors,Source,Journal,Database,Type,Language,Publication year,Descriptor(s),Keyword(s),\
Publication Country,Fulltext URL, Abstract,Entry Date,Volume number,Issue number,DOI,ISSN,\
Accession number,PMCID
"lil-900001","Febre em cidades do interior/ Fever in the towns of the interior","Silva, João da; Souza, Ana",\
"Rev. ficc. saúde;12(3): 10-19, 2021","Rev. ficc. saúde","LILACS","article","pt","2021",\
"Dengue/prevention & control; Humans","mosquito","Brazil","https://journal.example/1","Febre.",20211203,12,\
3,10.5555/rfs.2021.7,0000-0019,,PMC9999991
"mdl-39000001","Fever in one town","Doe, Jane","J Fict;1(1): 1, 2020","J Fict","MEDLINE","article","en",\
"2020","Febre/epidemiologia; Humanos; Criança","","United States","","",20200101,1,1,,,,
"""
SCIELO_CSV = """\
ID,Title,Author(s),Source,Journal,Language(s),Publication year,Fulltext URL
"S0000-00192021000300010-scl","Febre","Silva, João da, Souza, Ana","Revista; 12(3); 10-19","Revista",\
"Portuguese, English","2021","http://www.scielo.example/scielo.php?script=sci_arttext&pid=S0000-00192021000300010&lang=en"
"""
BIBTEX = """\
@article{SILVA2021,
    title = {{Febre em cidades}},
    journal = {{Revista ficcional de saúde}},
    author = {Silva, João da and Souza, Ana},
    volume = {12},
    year = {2021},
    publisher = {scielo},
    language = {pt},
    month = {09},
    crossref = {10.5555/rfs.2021.7},
    pages = {10-19},
    URL = {http://www.scielo.example/scielo.php?script=sci_arttext&pid=S0000-00192021000300010&lang=en},
    }
"""
