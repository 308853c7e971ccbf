"""The fields of a record as Europe PMC's interface names them."""

import msgspec


class Affiliation(msgspec.Struct, frozen=True):
    affiliation: str = ""


class Affiliations(msgspec.Struct, frozen=True):
    authorAffiliation: list[Affiliation] = []


class AuthorId(msgspec.Struct, frozen=True):
    type: str = ""
    value: str = ""


class Person(msgspec.Struct, frozen=True):
    fullName: str = ""
    firstName: str = ""
    lastName: str = ""
    initials: str = ""
    collectiveName: str = ""
    authorId: AuthorId | None = None
    authorAffiliationDetailsList: Affiliations = Affiliations()


class People(msgspec.Struct, frozen=True):
    author: list[Person] = []


class JournalName(msgspec.Struct, frozen=True):
    title: str = ""
    medlineAbbreviation: str = ""
    isoabbreviation: str = ""
    issn: str = ""
    essn: str = ""
    nlmid: str = ""


class JournalInfo(msgspec.Struct, frozen=True):
    issue: str = ""
    volume: str = ""
    dateOfPublication: str = ""
    yearOfPublication: int | None = None
    monthOfPublication: int | None = None
    journal: JournalName = JournalName()


class Qualifier(msgspec.Struct, frozen=True):
    qualifierName: str = ""
    majorTopic_YN: str = ""


class Qualifiers(msgspec.Struct, frozen=True):
    meshQualifier: list[Qualifier] = []


class Heading(msgspec.Struct, frozen=True):
    descriptorName: str = ""
    majorTopic_YN: str = ""
    meshQualifierList: Qualifiers = Qualifiers()


class Headings(msgspec.Struct, frozen=True):
    meshHeading: list[Heading] = []


class Keywords(msgspec.Struct, frozen=True):
    keyword: list[str] = []


class Substance(msgspec.Struct, frozen=True):
    name: str = ""
    registryNumber: str = ""


class Substances(msgspec.Struct, frozen=True):
    chemical: list[Substance] = []


class Funding(msgspec.Struct, frozen=True):
    grantId: str = ""
    agency: str = ""
    acronym: str = ""


class Fundings(msgspec.Struct, frozen=True):
    grant: list[Funding] = []


class Comment(msgspec.Struct, frozen=True):
    type: str = ""
    source: str = ""
    id: str = ""
    reference: str = ""
    note: str = ""


class Comments(msgspec.Struct, frozen=True):
    commentCorrection: list[Comment] = []


class Types(msgspec.Struct, frozen=True):
    pubType: list[str] = []


class Result(msgspec.Struct, frozen=True):
    """The fields that are read; others are passed over."""

    id: str
    source: str
    pmid: str = ""
    pmcid: str = ""
    doi: str = ""
    title: str = ""
    authorString: str = ""
    authorList: People = People()
    journalInfo: JournalInfo = JournalInfo()
    journalTitle: str = ""
    journalVolume: str = ""
    issue: str = ""
    pubYear: str = ""
    pageInfo: str = ""
    abstractText: str = ""
    language: str = ""
    pubTypeList: Types = Types()
    pubType: str = ""
    meshHeadingList: Headings = Headings()
    keywordList: Keywords = Keywords()
    chemicalList: Substances = Substances()
    grantsList: Fundings = Fundings()
    commentCorrectionList: Comments = Comments()
    firstPublicationDate: str = ""
    electronicPublicationDate: str = ""
    dateOfRevision: str = ""
