"""Records in PubMed's text format, in its exact shape; papers, people and numbers are made up."""

STRUCTURED = """\
PMID- 39000001
OWN - NLM
STAT- MEDLINE
DCOM- 20230215
LR  - 20230301
IS  - 1234-5679 (Electronic)
IS  - 1234-5660 (Print)
IS  - 1234-5660 (Linking)
VI  - 12
IP  - 3
DP  - 2023 Jan 10
TI  - Heart failure after influenza in older adults: a cohort in three countries of the
      southern hemisphere.
PG  - 101-9
LID - 10.5555/hfx.2023.001 [doi]
LID - S0000-0001 [pii]
AB  - BACKGROUND: Influenza may bring on heart failure. Is it so in winter alone? METHODS:
      We followed 1,200 adults: half of them vaccinated. RESULTS AND DISCUSSION: HR: 0.7
      (95% CI 0.5-0.9). CONCLUSIONS: Vaccinate.
CI  - (c) 2023 The Authors.
FAU - Núñez-Pérez, María José
AU  - Núñez-Pérez MJ
AUID- ORCID: 0000-0002-1825-0097
AD  - Hospital del Sur, Lima, Peru.
AD  - Universidad Ficticia, Lima, Peru.
FAU - van der Berg, Jan P Jr
AU  - van der Berg JP Jr
AUID- ORCID: https://orcid.org/0000000218250097
CN  - FLU-HEART Study Group
FAU - 王, 小明
AU  - 王 小
LA  - eng
LA  - spa
SI  - ClinicalTrials.gov/NCT09999991
SI  - ClinicalTrials.gov/NCT09999992
SI  - figshare/10.6084/m9.figshare.1
GR  - R01 HL000001/HL/NHLBI NIH HHS/United States
GR  - 24K00001/KAKENHI/
GR  - BB/K000001/1/BB_/Biotechnology and Biological Sciences Research Council/United Kingdom
GR  - Fundación Ficticia/
PT  - Journal Article
PT  - Multicenter Study
TT  - Insuficiencia cardíaca tras la gripe.
DEP - 20221220
PL  - England
TA  - J Fict Cardiol
JT  - Journal of fictional cardiology
JID - 9999991
RN  - 0 (Influenza Vaccines)
RN  - EC 2.7.3.2 (Creatine Kinase)
RN  - 11056-06-7 (Bleomycin)
RN  - ABCDE12345 (A made-up compound (R-form))
RN  - Heart failure 7
NM  - PVB protocol
SB  - IM
CIN - J Fict Cardiol. 2023 Mar;12(4):200-1. PMID: 39000009
EIN - J Fict Cardiol. 2023 Apr;12(5):300.
MH  - Aged
MH  - *Heart Failure/*epidemiology/etiology
MH  - Influenza, Human/*complications
GS  - TNF
GN  - A note.
IR  - Okafor C
FIR - Okafor, Chidi
IRAD- Lagos, Nigeria.
OTO - NOTNLM
OT  - *vaccination
OT  - cohort
OAB - plain-language-summary: La gripe puede dañar el corazón.
OABL- spa
COIS- None declared.
RF  - 34
EDAT- 2023/01/11 06:00
MHDA- 2023/02/16 06:00
CRDT- 2023/01/10 03:00
PMCR- 2023/07/10
PHST- 2022/10/01 00:00 [received]
PHST- 2023/01/11 06:00 [pubmed]
PHST- 2023/02/16 06:00 [medline]
PHST- 2023/01/10 03:00 [entrez]
PMC - PMC9999991
MID - NIHMS999991
OID - NLM: PMC9999991
AID - S0000-0001 [pii]
AID - 10.5555/hfx.2023.001 [doi]
PST - ppublish
SO  - J Fict Cardiol. 2023 Jan 10;12(3):101-9. doi: 10.5555/hfx.2023.001.
"""

OLD = """\
PMID- 5000002
OWN - NLM
STAT- MEDLINE
DA  - 19761201
DCOM- 19761201
PUBM- Print
IS  - 0009-9999 (Print)
VI  - 5
DP  - 1975 Dec-1976 Jan
TI  - [Fever in the tropics].
AD  - Institut Fictif, Dakar.
AU  - Diop A
AU  - et al.
LA  - fre
PT  - Journal Article
TA  - Med Trop Fict
JT  - Medecine tropicale fictive
MH  - *Fever
EDAT- 1975/12/01
MHDA- 1975/12/01 00:01
SO  - Med Trop Fict. 1975 Dec-1976 Jan;5:7.
"""

BOOK = """\
PMID- 30000003
OWN - NLM
STAT- Publisher
LR  - 20200101
ISBN- 9780000000002
DP  - 2020
TI  - Fever
BTI - A Fictional Handbook of Signs
PB  - Fictional Press
PL  - Dakar
CTI - Handbooks
FED - Diallo, Awa
ED  - Diallo A
FAU - Sow, Ibrahima
AU  - Sow I
LA  - eng
PT  - Book Chapter
"""

RECORDS = (STRUCTURED, OLD, BOOK)
