"""Ratings: closed forms, a library of the field, and honesty where games tell nothing."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludograph.arena import rate
from ludograph.arena.ladder.pairing import pair_values
from ludograph.arena.ratings.fit import Cause
from ludograph.arena.ratings.rating import ELO
from ludograph.arena.ratings.uncertainty import reach
from ludograph.arena.rendering import CAUSES as SENTENCES
from ludograph.arena.rendering import notes
from ludograph.arena.tables import standings
from ludograph.errors import InvalidInput
from tests.arena.games import DRAWN, LOST, WON, Row, game, match
from tests.reference.ratings import strengths


def random_games(count, players, seats, seed, ties=False):
    random = np.random.default_rng(seed)
    names = [f"p{n}" for n in range(players)]
    found = []
    for number in range(count):
        table = tuple(names[n] for n in random.choice(players, seats, replace=False))
        ranks = random.permutation(seats) + 1
        if ties and number % 3 == 0:
            ranks[ranks == 2] = 1
        found.append(Row(number // 2, table, tuple(map(int, ranks))))
    return found


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 20))
@settings(max_examples=20, deadline=None)
def test_two_players_are_apart_by_the_odds_of_winning(wins, losses, draws):
    """In Davidson's model draws leave the odds alone, as long as seats are taken to be equal."""
    ratings = rate(match("ann", "bob", wins, draws, losses), seat_advantage=False)
    assert ratings.estimate.prior == 0
    wanted = 400 * math.log10(wins / losses)
    assert ratings.difference("ann", "bob")[0] == pytest.approx(wanted, abs=1e-3)
    if draws:
        assert ratings.estimate.ties[2] == pytest.approx(draws / math.sqrt(wins * losses), rel=1e-4)


def test_the_error_of_two_players_is_that_of_the_log_odds():
    ratings = rate(match("ann", "bob", 30, 0, 20), seat_advantage=False)
    contrast = np.array([1.0, -1.0])
    model = math.sqrt(contrast @ ratings.estimate.uncertainty.model @ contrast)
    assert model == pytest.approx(math.sqrt(1 / 30 + 1 / 20), rel=1e-6)
    # each game is a start of its own here, so both ways to estimate it agree, but for 50 / 49
    assert ratings.difference("ann", "bob")[1] == pytest.approx(
        model * math.sqrt(50 / 49) * ELO, rel=1e-4
    )


def test_draws_and_first_moves_of_two_players_in_closed_form():
    # Davidson and Beaver: of games of a as first, and of b as first: wins of the first, draws, rest
    first, second = (40, 20, 10), (30, 20, 25)
    games, start = [], 0
    for seating, counts in (("ab", first), ("ba", second)):
        for ranks, count in zip((WON, DRAWN, LOST), counts, strict=True):
            for _ in range(count):
                games.append(game(start, seating, ranks))
                start += 1
    ratings = rate(games)
    expected = np.array([0.0, 0.0, 0.0])  # points of a, points of the first mover, draws
    for sign in (1, -1):
        gap = (sign * ratings.difference("a", "b")[0] + ratings.seats[0] - ratings.seats[1]) / ELO
        weights = np.array([math.exp(gap / 2), ratings.estimate.ties[2], math.exp(-gap / 2)])
        chance = weights / weights.sum() * (70 if sign > 0 else 75)
        of_first = chance[0] + chance[1] / 2
        expected += [of_first if sign > 0 else 75 - of_first, of_first, chance[1]]
    # the likelihood is highest where what was seen is what one expects
    assert expected == pytest.approx([50 + 25 + 10, 50 + 30 + 10, 40], rel=1e-6)


@pytest.mark.slow  # SciPy's optimizers take long to be imported
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_ties_a_library_of_the_field_agrees(seats):
    import choix  # not for all who collect tests: it brings much of SciPy with it

    games = random_games(80, 5, seats, seed=seats)
    ratings = rate(games, seat_advantage=False)
    number = {name: place for place, name in enumerate(ratings.estimate.players)}
    rankings = [
        [number[name] for _, name in sorted(zip(g.ranks, g.seating, strict=True))] for g in games
    ]
    if seats == 2:
        theirs = choix.opt_pairwise(5, rankings, tol=1e-10)
    else:
        theirs = choix.ilsr_rankings(5, rankings, tol=1e-10)
    assert ratings.estimate.strengths == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_three_seats_with_ties_expect_what_was_seen():
    """Checked by an enumeration that is written anew here, stage by stage."""
    games = random_games(200, 5, 3, seed=1, ties=True)
    ratings = rate(games)
    worth = dict(zip(ratings.estimate.players, ratings.estimate.strengths, strict=True))
    seat = [value / ELO for value in ratings.seats]
    seen, expected = dict.fromkeys(worth, 0.0), dict.fromkeys(worth, 0.0)
    ties_seen = ties_expected = 0.0
    for one in games:
        left = {0, 1, 2}
        for rank in sorted(set(one.ranks)):
            if len(left) < 2:
                break
            chosen = {s for s in left if one.ranks[s] == rank}
            sets = [(s,) for s in left] + [(s, t) for s in left for t in left if s < t]
            weight = np.array(
                [
                    math.exp(sum(worth[one.seating[s]] + seat[s] for s in those) / len(those))
                    * (ratings.estimate.ties[2] if len(those) == 2 else 1)
                    for those in sets
                ]
            )
            for those, chance in zip(sets, weight / weight.sum(), strict=True):
                ties_expected += chance * (len(those) == 2)
                for s in those:
                    expected[one.seating[s]] += chance / len(those)
            ties_seen += len(chosen) == 2
            for s in chosen:
                seen[one.seating[s]] += 1 / len(chosen)
            left -= chosen
    assert list(expected.values()) == pytest.approx(list(seen.values()), rel=1e-5)
    assert ties_expected == pytest.approx(ties_seen, rel=1e-5)


@given(st.integers(0, 10**6), st.integers(2, 4))
@example(1396, 4)  # rounding ends the steps
@settings(max_examples=10, deadline=None)
def test_neither_order_nor_names_matter(seed, seats):
    games = random_games(60, 5, seats, seed, ties=True)
    names = {f"p{n}": f"q{4 - n}" for n in range(5)}
    again = [g._replace(seating=tuple(names[p] for p in g.seating)) for g in reversed(games)]
    one, other = rate(games), rate(again)
    for rating in one.table:
        same = other.of(names[rating.player])
        for ours, theirs in ((rating.elo, same.elo), (rating.low, same.low)):
            assert (ours is None) == (theirs is None)
            assert ours is None or ours == pytest.approx(theirs, abs=0.01)


def test_many_seats_with_ties_are_rated_too():
    random = np.random.default_rng(3)
    games = []
    for start in range(40):
        table = random.permutation(12)
        score = (-(table + random.normal(0, 3, 12))).round().astype(int)
        ranks = tuple(int(1 + (score > own).sum()) for own in score)
        games.append(Row(start, tuple(f"p{n:02d}" for n in table), ranks))
    found = [rating.player for rating in rate(games).table]
    assert abs(np.array([int(name[1:]) for name in found]) - np.arange(12)).max() <= 2
    tied = [g._replace(ranks=(1,) * 12) for g in games]
    assert rate(tied).of("p03").elo == pytest.approx(0, abs=1e-3)


def test_an_anchor_moves_all_ratings_and_has_no_interval():
    games = match("ann", "bob", 30, 5, 20) + match("bob", "cid", 25, 5, 10, first=100)
    free, fixed = rate(games), rate(games, anchor="bob", anchor_elo=1500)
    bob = fixed.of("bob")
    assert (bob.elo, bob.low, bob.high) == (1500, 1500, 1500)
    for player in ("ann", "cid"):
        assert fixed.of(player).elo - 1500 == pytest.approx(free.difference(player, "bob")[0])
        _, error = free.difference(player, "bob")
        assert fixed.of(player).high - fixed.of(player).elo == pytest.approx(1.96 * error, rel=0.1)
    assert sum(rating.elo for rating in free.table) == pytest.approx(0, abs=1e-6)
    with pytest.raises(InvalidInput, match="dan"):
        rate(games, anchor="dan")


def test_forfeits_count_as_losses_but_not_those_of_all_seats():
    fair = match("ann", "bob", 10, 0, 10)
    crashes = [game(100 + n, "ab", WON, (1, "crash")) for n in range(5)]
    crashes = [g._replace(seating=("ann", "bob")) for g in crashes]
    assert rate(fair + crashes).difference("ann", "bob")[0] > 30
    void = rate(fair + [g._replace(forfeits=("crash", "crash"), ranks=(2, 2)) for g in crashes])
    assert void.of("ann").games == 20
    assert void.estimate.ties == {}


def test_who_wins_everything_has_no_upper_end_and_no_infinite_number():
    games = match("ann", "bob", 12, 0, 0) + match("bob", "cid", 10, 0, 10, first=50)
    ratings = rate(games)
    ann, bob, cid = (ratings.of(name) for name in ("ann", "bob", "cid"))
    assert ratings.estimate.prior > 0
    assert ann.high is None
    assert 0 < ann.low < ann.elo < 2000
    assert bob.low is None
    assert bob.high is not None
    assert math.isfinite(cid.elo)
    assert 0.9 < ann.superiority < 1


A_FIRST = [game(n, "ab", WON if n % 3 else LOST) for n in range(20)]
CAUSES = {
    "one won all": (
        [game(n, "ab" if n % 2 else "ba", WON if n % 2 else LOST) for n in range(20)],
        Cause.NO_LOSSES,
    ),
    "one won all, always first": ([game(n, "ab") for n in range(20)], Cause.NO_LOSSES),
    "one only drew, one won all": (
        [game(n, "ab", DRAWN) for n in range(4)] + [game(n, "bc") for n in range(4)],
        Cause.NO_LOSSES,
    ),
    "draws": ([game(n, "ab" if n % 2 else "ba", DRAWN) for n in range(20)], Cause.DRAWS),
    "draws, always first": ([game(n, "ab", DRAWN) for n in range(20)], Cause.DRAWS),
    "draws of three": ([game(n, "abc", (1, 1, 1)) for n in range(6)], Cause.DRAWS),
    "a always first": (A_FIRST, Cause.CONFOUNDED),
    "a always first, another pair": (
        A_FIRST + [game(30 + n, "cd", WON) for n in range(4)],
        Cause.NO_LOSSES,
    ),
    "a chain": (
        A_FIRST + [game(30 + n, "bc", WON if n % 2 else LOST) for n in range(20)],
        Cause.CONFOUNDED,
    ),
    "the first won all": ([game(n, "ab" if n % 2 else "ba") for n in range(20)], Cause.SEATS),
    "the second won all": (
        [game(n, "ab" if n % 2 else "ba", LOST) for n in range(20)],
        Cause.SEATS,
    ),
    "the third won all": (
        [game(n, "abc"[n % 3 :] + "abc"[: n % 3], (2 + n % 2, 3 - n % 2, 1)) for n in range(24)],
        Cause.SEATS,
    ),
    "wins and draws": (
        [game(n, "ab" if n % 2 else "ba", WON if n % 2 else DRAWN) for n in range(20)],
        Cause.UNBEATEN,
    ),
    "wins and draws at both seats": (
        match("a", "b", 6, 4, 0) + match("b", "a", 0, 4, 6, first=40),
        Cause.UNBEATEN,
    ),
    "the first lost none": (
        [game(n, "ab" if n % 2 else "ba", WON if n % 4 < 2 else DRAWN) for n in range(20)],
        Cause.SEATS,
    ),
}


@pytest.mark.parametrize("case", CAUSES)
def test_the_cause_of_virtual_games_is_said(case):
    games, cause = CAUSES[case]
    ratings = rate(games)
    assert ratings.estimate.prior > 0
    assert ratings.estimate.cause is cause
    open_ended = any(each.low is None or each.high is None for each in ratings.table)
    assert open_ended == (ratings.estimate.cause is Cause.NO_LOSSES)
    (note,) = [note for note in notes(ratings) if " 1 game " in note]
    assert note.startswith(SENTENCES[ratings.estimate.cause])
    assert ("other side" in note) == open_ended


def test_no_cause_is_said_where_there_is_none():
    games = match("ann", "bob", 30, 2, 20)
    assert notes(rate(games, seat_advantage=False)) == []
    asked = rate(games, seat_advantage=False, prior=0.5)
    assert asked.estimate.cause is None
    (note,) = notes(asked)
    assert " 0.5 games " in note
    assert not any(note.startswith(cause) for cause in SENTENCES.values())


@pytest.mark.parametrize(
    "games",
    [
        [game(n, "ab") for n in range(20)],  # never the other way round
        [game(n, "ab" if n % 2 else "ba") for n in range(20)],  # always the first mover
        [game(n, "ab" if n % 2 else "ba", DRAWN) for n in range(20)],  # always a draw
        [game(n, "ab", WON if n % 3 else LOST) for n in range(20)],  # a always first
        [game(0, "ab")],
        [],
    ],
)
def test_nothing_is_infinite_whatever_happens(games):
    ratings = rate(games, ["zoe"])
    numbers = [*ratings.seats, *ratings.estimate.ties.values()]
    for rating in ratings.table:
        numbers += [rating.elo or 0, rating.low or 0, rating.high or 0, rating.superiority or 0]
    assert all(math.isfinite(number) for number in numbers)
    assert ratings.of("zoe").elo is None
    assert all(abs(number) < 5000 for number in numbers)


def test_groups_that_never_met_are_not_compared():
    games = match("ann", "bob", 10, 0, 5) + match("cid", "dan", 5, 0, 10, first=50)
    games += match("cid", "eve", 5, 0, 10, first=80)
    ratings = rate(games, anchor="ann", anchor_elo=100)
    assert [rating.group for rating in ratings.table] == [0, 0, 1, 1, 1]
    assert ratings.groups == 2
    assert ratings.of("ann").elo == 100
    assert sum(ratings.of(name).elo for name in ("cid", "dan", "eve")) == pytest.approx(0, abs=1e-6)
    assert ratings.of("bob").superiority is None
    with pytest.raises(InvalidInput, match="no games join"):
        ratings.difference("ann", "cid")


def test_games_of_a_pair_that_always_end_alike_are_worth_half():
    single = match("ann", "bob", 60, 0, 40)
    doubled = single + [g._replace(seating=g.seating[::-1], ranks=g.ranks[::-1]) for g in single]
    once, twice = (rate(games, seat_advantage=False) for games in (single, doubled))
    assert once.difference("ann", "bob") == pytest.approx(twice.difference("ann", "bob"))


def test_pairs_that_cancel_out_are_worth_more():
    """A start that decides who wins tells nothing about the players, and does not blur them."""
    random = np.random.default_rng(1)
    games = []
    for start in range(100):
        if random.random() < 0.8:  # whoever is first wins both times
            games += [game(start, "ab"), game(start, "ba")]
        else:
            games += [game(start, "ab", WON), game(start, "ba", LOST if start % 3 else WON)]
    ratings = rate(games, seat_advantage=False)
    contrast = np.array([1.0, -1.0])
    model = math.sqrt(contrast @ ratings.estimate.uncertainty.model @ contrast) * ELO
    assert ratings.difference("a", "b")[1] < 0.7 * model


def test_likelihood_of_superiority():
    even = rate(match("ann", "bob", 20, 0, 20))
    assert even.table[0].superiority == pytest.approx(0.5)
    assert even.table[1].superiority is None
    gap, error = (uneven := rate(match("ann", "bob", 25, 0, 15))).difference("ann", "bob")
    wanted = 0.5 * (1 + math.erf(gap / error / math.sqrt(2)))
    assert uneven.table[0].superiority == pytest.approx(wanted)


def round_of_equals(count):
    """Return players in a circle, each beats those on its left twice, and their games."""
    players = [f"p{one}" for one in range(count)]
    games = []
    for one in range(count):
        for step in range(1, (count + 1) // 2):
            pair = players[one], players[(one + step) % count]
            games += [game(len(games), pair), game(len(games) + 1, pair[::-1], LOST)]
    return players, games


@pytest.mark.parametrize("count", [5, 9, 20, 31])
def test_players_of_equal_strength_stand_in_the_given_order_on_every_processor(count):
    players, games = round_of_equals(count)
    assert [one.player for one in rate(games, players).table] == players
    values = pair_values(players, games)
    for step in range(1, count):
        assert len({values[one, (one + step) % count] for one in range(count)}) == 1


def test_without_games_and_players_the_table_is_empty():
    ratings = rate([])
    assert ratings.table == ()
    assert ratings.groups == 0
    assert standings([], (), ratings) == []
    assert pair_values([], []).shape == (0, 0)
    assert [one.elo for one in rate([], ["ann", "bob"]).table] == [None, None]
    with pytest.raises(InvalidInput, match="ann"):
        rate([], anchor="ann")


def test_games_that_do_not_fit_together_are_refused():
    with pytest.raises(InvalidInput, match="3 players"):
        rate([game(0, "ab"), game(1, "abc", (1, 2, 3))])
    with pytest.raises(InvalidInput, match="one seat"):
        rate([game(0, "a", (1,))])
    with pytest.raises(InvalidInput, match="prior"):
        rate([], prior=-1)


@pytest.mark.parametrize(("players", "prior"), [(3, 0.0), (6, 0.0), (6, 1.0), (12, 0.3), (12, 4.0)])
def test_strengths_are_those_of_a_plain_fit(players, prior):
    names = [f"p{n}" for n in range(players)]
    games = random_games(20 * players, players, 2, players)
    ratings = rate(games, names, seat_advantage=False, prior=prior)
    assert ratings.estimate.prior == prior
    right = strengths(games, ratings.estimate.players, prior)
    assert ratings.estimate.strengths == pytest.approx(right, abs=1e-8)


@pytest.mark.parametrize("anchor", [None, "p1", "q0"])
def test_the_table_holds_the_intervals_and_likelihoods_of_one_sum_at_a_time(anchor):
    games = random_games(60, 5, 3, 1) + [
        one._replace(start=one.start + 100, seating=tuple(f"q{name[1]}" for name in one.seating))
        for one in random_games(25, 4, 3, 2)
    ]
    ratings = rate(games, ["alone"], anchor=anchor, anchor_elo=700.0 if anchor else 0.0)
    names, errors = ratings.estimate.players, ratings.estimate.uncertainty
    rated = [one for one in ratings.table if one.elo is not None]
    assert [one.player for one in ratings.table if one.elo is None] == ["alone"]
    for one, following in zip(rated, [*rated[1:], None], strict=True):
        mates = [other.player for other in rated if other.group == one.group]
        own = np.array([float(name == one.player) for name in names])
        if anchor in mates:
            contrast, base = own - np.array([float(name == anchor) for name in names]), 700.0
        else:
            contrast = own - np.array([(name in mates) / len(mates) for name in names])
            base = 0.0
        assert one.elo == pytest.approx(contrast @ ratings.estimate.strengths * ELO + base)
        half = reach(*errors.of_each(contrast[None]))[0] * ELO
        for limit, side in ((one.low, -1), (one.high, 1)):
            assert limit is None or limit == pytest.approx(one.elo + side * half)
        if following is None or following.player not in mates:
            assert one.superiority is None
        else:
            gap, error = ratings.difference(one.player, following.player)
            right = (1 + math.erf(gap / error / math.sqrt(2))) / 2
            assert one.superiority == pytest.approx(right)
