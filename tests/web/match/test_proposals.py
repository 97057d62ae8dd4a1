"""The state machine of consent, without a server: who can do what, and in which order."""

from __future__ import annotations

import pytest

from ludograph.web.match.consent import Consent, RequestRefused

ANN, BOB, EVE = frozenset({0, 3}), frozenset({1}), frozenset({2})


class Shown:
    """What the pages show."""

    def __init__(self) -> None:
        self.told: list[tuple[str, list[int]]] = []

    def on_proposal(self, proposal) -> None:
        self.told.append((proposal.kind, sorted(min(each) for each in proposal.missing)))

    def on_settled(self, proposal, how) -> None:
        self.told.append((how, []))


@pytest.fixture
def shown():
    return Shown()


@pytest.fixture
def consent(shown):
    return Consent(shown, [ANN, BOB, EVE])


def test_all_others_accept_each_once(consent, shown) -> None:
    number = consent.propose("undo", 3)
    assert consent.accept(number, BOB) is None
    with pytest.raises(RequestRefused, match="only the others"):
        consent.accept(number, BOB)
    agreed = consent.accept(number, EVE)
    assert (agreed.kind, agreed.seat, agreed.person) == ("undo", 3, ANN)
    assert shown.told == [("undo", [1, 2]), ("undo", [2]), ("accepted", [])]


@pytest.mark.parametrize("seats", [(), ANN, {0}, {7}, {-1}])
def test_nobody_else_can_accept(consent, seats) -> None:
    number = consent.propose("undo", 0)
    with pytest.raises(RequestRefused, match="only the others"):
        consent.accept(number, seats)


@pytest.mark.parametrize("wrong", [0, 2, -1, None, "1", [1], 1.5])
def test_an_answer_to_another_proposal_counts_for_none(consent, wrong) -> None:
    assert consent.propose("undo", 0) == 1
    for answer in (consent.accept, consent.decline):
        with pytest.raises(RequestRefused, match="settled already"):
            answer(wrong, BOB)


def test_one_no_ends_it_also_after_a_yes(consent, shown) -> None:
    number = consent.propose("rematch", 1)
    consent.accept(number, ANN)
    consent.decline(number, EVE)
    with pytest.raises(RequestRefused, match="settled already"):
        consent.accept(number, EVE)
    with pytest.raises(RequestRefused, match="declined already"):
        consent.propose("rematch", 1)
    assert consent.propose("undo", 1) == 2  # another question
    consent.lapse()
    assert consent.propose("rematch", 1) == 3
    assert [word for word, _ in shown.told][2] == "declined"


def test_who_has_accepted_cannot_decline_any_more(consent) -> None:
    number = consent.propose("rematch", 1)
    consent.accept(number, ANN)
    with pytest.raises(RequestRefused, match="only the others"):
        consent.decline(number, ANN)
    assert consent.accept(number, EVE) is not None


def test_there_is_one_question_at_a_time(consent) -> None:
    consent.propose("undo", 0)
    with pytest.raises(RequestRefused, match="already"):
        consent.propose("undo", 3)
    with pytest.raises(RequestRefused, match="first"):
        consent.propose("undo", 1)
