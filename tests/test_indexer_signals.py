"""What comments, corrections and publication types say of a paper."""

import pytest

from indexer.citation import Correction, Term
from indexer.signals import Signal, SignalKind, is_retracted, signals
from tests.citations import citation


def of(*corrections, types=("Journal Article",)):
    return signals(citation(1, corrections=corrections, publication_types=tuple(map(Term, types))))


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("RetractionIn", "retracted"),
        ("RetractedandRepublishedIn", "retracted"),
        ("ExpressionOfConcernIn", "concern"),
        ("ErratumIn", "corrected"),
        ("CorrectedandRepublishedIn", "corrected"),
        ("UpdateIn", "superseded"),
        ("RetractionOf", "retraction-notice"),
        ("ExpressionOfConcernFor", "concern-notice"),
        ("ErratumFor", "erratum-notice"),
    ],
)
def test_a_link_is_a_signal_and_points_to_the_other_paper(type, kind):
    assert of(Correction(type, "J Inv. 2021;1:2", "77")) == (Signal(kind, "77", "J Inv. 2021;1:2"),)


@pytest.mark.parametrize(
    "type",
    ["CommentIn", "CommentOn", "UpdateOf", "RepublishedIn", "RepublishedFrom", "ReprintIn", "Cites", ""],
)
def test_other_links_say_nothing_against_a_paper(type):
    assert of(Correction(type, "J Inv. 2021;1:2", "77")) == ()


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("Retracted Publication", "retracted"),
        ("Preprint", "preprint"),
        ("Retraction of Publication", "retraction-notice"),
        ("Expression of Concern", "concern-notice"),
        ("Published Erratum", "erratum-notice"),
    ],
)
def test_a_type_alone_is_a_signal_that_points_nowhere(type, kind):
    assert of(types=("Letter", type)) == (Signal(kind),)


def test_a_type_adds_nothing_to_a_link_of_its_kind():
    notice = Correction("RetractionIn", "J Inv. 2021;1:2", "77")
    assert of(notice, types=("Retracted Publication",)) == (Signal("retracted", "77", "J Inv. 2021;1:2"),)


def test_what_updates_a_preprint_is_its_publication():
    published = Correction("UpdateIn", "Eur J Inv. 2021", "77")
    assert of(published, types=("Preprint",)) == (Signal("preprint", "77", "Eur J Inv. 2021"),)


def test_signals_are_in_order_of_weight_each_once():
    erratum, second = Correction("ErratumIn", "J. 1", "5"), Correction("ErratumIn", "J. 2", "4")
    found = of(erratum, second, erratum, Correction("RetractionIn", "J. 3"), types=("Preprint",))
    assert found == (
        Signal("retracted", "", "J. 3"),
        Signal("corrected", "5", "J. 1"),
        Signal("corrected", "4", "J. 2"),
        Signal("preprint"),
    )
    assert isinstance(found[0].kind, SignalKind)


def test_a_notice_is_not_itself_retracted():
    assert is_retracted(citation(1, corrections=(Correction("RetractionIn"),)))
    assert not is_retracted(citation(1, corrections=(Correction("RetractionOf"),)))
