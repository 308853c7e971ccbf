"""Signals: what later events say of a paper, such as a retraction, from its types and its links.

Types are NLM's publication types. Links are its comments and corrections, where "...In" stands on the older
paper and names the newer one, and "...Of", "...For" and "...From" the other way round (NLM, "Errata,
Retractions, and Other Linked Citations in PubMed").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from indexer.citation import Citation


class SignalKind(StrEnum):
    """In the order in which they are told."""

    RETRACTED = "retracted"
    CONCERN = "concern"
    CORRECTED = "corrected"
    SUPERSEDED = "superseded"
    PREPRINT = "preprint"
    RETRACTION_NOTICE = "retraction-notice"
    CONCERN_NOTICE = "concern-notice"
    ERRATUM_NOTICE = "erratum-notice"


@dataclass(frozen=True, slots=True)
class Signal:
    """pmid and reference: the paper at the other end, as far as the record names one.

    Of a retracted, questioned or corrected paper that is the notice; of a notice, the paper; of a preprint or
    a superseded paper, the version that came after.
    """

    kind: SignalKind
    pmid: str = ""
    reference: str = ""


TYPES = {
    "Retracted Publication": SignalKind.RETRACTED,
    "Preprint": SignalKind.PREPRINT,
    "Retraction of Publication": SignalKind.RETRACTION_NOTICE,
    "Expression of Concern": SignalKind.CONCERN_NOTICE,
    "Published Erratum": SignalKind.ERRATUM_NOTICE,
}

LINKS = {
    "RetractionIn": SignalKind.RETRACTED,
    "RetractedandRepublishedIn": SignalKind.RETRACTED,
    "ExpressionOfConcernIn": SignalKind.CONCERN,
    "ErratumIn": SignalKind.CORRECTED,
    "CorrectedandRepublishedIn": SignalKind.CORRECTED,
    "UpdateIn": SignalKind.SUPERSEDED,
    "RetractionOf": SignalKind.RETRACTION_NOTICE,
    "ExpressionOfConcernFor": SignalKind.CONCERN_NOTICE,
    "ErratumFor": SignalKind.ERRATUM_NOTICE,
}
"""Links that are no signal: comments, reprints, and those that a newer version has to the one before."""


def signals(citation: Citation) -> tuple[Signal, ...]:
    """Every signal, each link by itself, by kind and then in the record's order."""
    linked = list(linked_signals(citation))
    named = {signal.kind for signal in linked}
    kinds = {TYPES[term.name] for term in citation.publication_types if term.name in TYPES}
    found = dict.fromkeys([*linked, *(Signal(kind) for kind in kinds - named)])
    order = list(SignalKind)
    return tuple(sorted(found, key=lambda signal: order.index(signal.kind)))


def linked_signals(citation: Citation) -> Iterator[Signal]:
    """The signals that stand in the record's comments and corrections."""
    preprint = any(term.name == "Preprint" for term in citation.publication_types)
    for item in citation.corrections:
        kind = LINKS.get(item.type)
        if kind is SignalKind.SUPERSEDED and preprint:
            # What updates a preprint is its publication, and that is what readers look for.
            kind = SignalKind.PREPRINT
        if kind is not None:
            yield Signal(kind, item.pmid, item.source)


def is_retracted(citation: Citation) -> bool:
    """Whether the paper was retracted."""
    return any(signal.kind is SignalKind.RETRACTED for signal in signals(citation))
