"""RIS as programs write it, in their exact shapes; papers, people and numbers are made up."""

ENDNOTE = """\
TY  - JOUR
AU  - Núñez-Pérez, María José
AU  - van der Berg, J. P., Jr.
AD  - Hospital del Sur, Lima, Peru.
AN  - 39000001
AU  - World Health Organization
C2  - PMC9999991
DA  - Jan 10
DO  - 10.5555/hfx.2023.001
DP  - NLM
ET  - 2022/12/20
IS  - 3
J2  - J Fict Cardiol
KW  - *Heart Failure
KW  - Aged
LA  - eng
N1  - 1234-5679
Núñez-Pérez, María José
Journal Article
PY  - 2023
SN  - 1234-5660 (Print)
1234-5679 (Electronic)
SP  - 101-9
ST  - Heart failure after influenza
T2  - Journal of fictional cardiology
TI  - Heart failure after influenza
UR  - https://journal.example/a;b
VL  - 12
ID  - 77
ER  - 

"""

ZOTERO = """\
TY  - JOUR
TI  - Insuficiencia cardíaca en ancianos
AU  - Quispe, Rosa
T2  - Revista ficticia de medicina
AB  - OBJETIVO: Describir. RESULTADOS: Se describe.
DA  - 2021/03/05/
PY  - 2021
DO  - https://doi.org/10.5555/RFM.2021.7
DP  - PubMed
VL  - 7
IS  - 2
SP  - 10
EP  - 19
J2  - Rev Fict Med
LA  - es
SN  - 0000-0019
UR  - https://pubmed.ncbi.nlm.nih.gov/39000002/
Y2  - 2021/04/01/10:00:00
L1  - file:///home/rosa/a.pdf
KW  - ancianos
N1  - <p>To read</p>
ER  - 
"""

OVID = """\
1. 
TY  - JOUR
DB  - Embase <1974 to 2023 Week 10>
AN  - 2000000001
T1  - Fever and its causes
A1  - Diop A.
A1  - Sow I.M.
Y1  - 2019//
N2  - Fever is a sign. 
Its causes are many.
KW  - *fever / diagnosis
KW  - human
JF  - Acta Fictiva
JA  - Acta Fict.
LA  - English
VL  - 5
IS  - 1
SP  - 1
EP  - 4
CY  - Senegal
PB  - Fictional Press (Dakar)
SN  - 0000-0027
UR  - http://ovidsp.ovid.example/ovidweb.cgi?T=JS&CSC=Y&D=emed20&AN=2000000001
M1  - (Diop) Institut Fictif, Dakar
ER  - 

2. 
TY  - JOUR
DB  - Ovid MEDLINE(R) ALL <1946 to March 10, 2023>
AN  - 39000003
T1  - [Fieber in den Tropen].
LA  - German
Y1  - 2018//
ER  - 
"""

EMBASE = """\
TY  - JOUR
M3  - Conference Abstract
Y1  - 2020
VL  - 41
IS  - 2
SP  - 77
T1  - Atrial fibrillation in athletes
JF  - European Fictional Journal
JO  - Eur. Fict. J.
AU  - O’Neill, S.
AU  - 王, 小明
AD  - S. O’Neill, Fictional Institute, Dublin, Ireland
KW  - athlete
C1  - apixaban
LA  - English
SN  - 1522-9645
DO  - 10.5555/efj.41.77
U2  - L630000001
L2  - https://www.embase.example/search/results?id=L630000001
ER  - 
"""

SCOPUS = """\
TY  - CHAP
TI  - Malaria in pregnancy
T2  - Handbook of Fictional Medicine
AU  - Okafor, C.
AU  - Diallo, A.
ED  - Traoré, M.
PY  - 2022
SP  - 200
EP  - 230
DO  - 10.5555/hfm-22
AB  - A chapter.
PB  - Fictional Press
CY  - Dakar
SN  - 9780000000002 (ISBN)
LA  - English; French
DB  - Scopus
C2  - 39000004
UR  - https://www.scopus.example/inward/record.uri?eid=2-s2.0-85000000001&doi=10.5555%2fhfm-22
N1  - Export Date: 1 March 2023
M3  - Book chapter
ER  - 
"""

BARE = """\
TY - GEN
TI - A letter
AU - Anonymous
ER -
"""
