"""Players that are withdrawn, suspended and reinstated: while a ladder runs, and between runs."""

import pytest

from ludograph.arena.ladder.folder import parted, read_state
from ludograph.arena.ladder.orders import read_orders, reinstate, suspend, withdraw
from ludograph.errors import InvalidInput, NotFound
from tests.arena.ladder.making import ladder_in, put, run
from tests.cli.run import refuse, succeed


@pytest.fixture
def ladder(tmp_path):
    return ladder_in(tmp_path, patience=3)


def suspended(going):
    return {parted(label)[0]: why for label, why in going.state.suspended.items()}


def of_player(executor, name):
    return [key for key in executor.played if any(name in label for label in key.seating)]


def test_an_operator_suspends_a_player_and_its_versions_until_it_is_reinstated(ladder):
    put(ladder, "ann.py", 2)
    put(ladder, "bob.py", 1)
    run(ladder, 4)
    suspend(ladder.folder, "ann.py", "copied\nfrom Bob")
    executor, going, said = run(ladder, 6)
    assert suspended(going) == {"ann.py": "by an operator: copied from Bob"}
    assert of_player(executor, "ann.py") == []
    assert "ann.py is suspended by an operator: copied from Bob" in said
    suspend(ladder.folder, "ann.py", f"<b>\u202e\x1b{'x' * 10_000}")  # a later reason counts
    _, going, said = run(ladder, 0)
    assert f"ann.py is suspended {suspended(going)['ann.py']}" in said
    assert suspended(going)["ann.py"].startswith("by an operator: <b>\\x202e\\x1bxxx")
    assert len(suspended(going)["ann.py"]) < 130
    put(ladder, "ann.py", 3)  # a new version is suspended, too
    executor, going, _ = run(ladder, 6)
    assert list(suspended(going)) == ["ann.py"]
    assert of_player(executor, "ann.py") == []
    reinstate(ladder.folder, "ann.py")
    executor, going, said = run(ladder, 6)
    assert "ann.py is reinstated" in said
    assert suspended(going) == {}
    assert of_player(executor, "ann.py")
    assert read_orders(ladder.folder).reinstate == []  # it has been carried out


def test_who_is_reinstated_begins_without_its_earlier_faults(ladder):
    put(ladder, "bad.py", "fault")
    put(ladder, "bob.py", 1)
    _, going, _ = run(ladder, 20)
    (why,) = suspended(going).values()
    assert why.startswith("3 forfeits in a row")
    assert "is suspended" in ladder.folder.read_report("bad.py")
    reinstate(ladder.folder, "bad.py")
    executor, going, _ = run(ladder, 20)
    assert len(of_player(executor, "bad.py")) >= 3
    assert suspended(going) == {"bad.py": why}


def test_a_suspension_by_the_ladder_ends_with_its_rules_and_one_by_an_operator_does_not(tmp_path):
    ladder = ladder_in(tmp_path, patience=2)
    put(ladder, "bad.py", "fault")
    put(ladder, "ann.py", 1)
    _, going, _ = run(ladder, 20)
    suspend(ladder.folder, "ann.py", "")
    assert list(suspended(going)) == ["bad.py"]
    changed = ladder_in(tmp_path, patience=2, clock="9s")
    put(changed, "bad.py", "fault")
    _, going, said = run(changed, 0)
    assert any("changed" in line for line in said)
    assert suspended(going) == {"ann.py": "by an operator"}
    assert changed.folder.read_report("bad.py") == ""


def test_a_withdrawn_player_leaves_and_may_come_again(ladder):
    put(ladder, "ann.py", 2)
    put(ladder, "bob.py", 1)
    run(ladder, 4)
    withdraw(ladder.folder, "ann.py")
    _, going, said = run(ladder, 4)
    assert "ann.py has left" in said
    assert (ladder.folder.withdrawn / "ann.py").read_text() == "2\n"
    for name in ("ann.py", "../people.json", ".hidden.py"):
        with pytest.raises(NotFound):
            withdraw(ladder.folder, name)
    put(ladder, "ann.py", 2)
    _, going, _ = run(ladder, 4)
    assert going.state.named("ann.py") is not None


def test_a_player_may_be_withdrawn_during_the_last_game(ladder):
    put(ladder, "ann.py", 2)
    put(ladder, "bob.py", 1)
    executor, _, said = run(
        ladder, 4, lambda number: number == 3 and withdraw(ladder.folder, "ann.py")
    )
    assert len(executor.played) == 4
    _, going, later = run(ladder, 2)
    assert "ann.py has left" in said + later
    assert going.state.named("bob.py") is not None


def test_what_cannot_be_withdrawn_stays_and_damaged_orders_are_named(ladder):
    put(ladder, "ann.py", 2)
    put(ladder, "bob.py", 1)
    ladder.folder.withdrawn.touch()
    with pytest.raises(InvalidInput, match=r"ann\.py cannot be withdrawn"):
        withdraw(ladder.folder, "ann.py")
    ladder.folder.withdrawn.unlink()
    run(ladder, 2)
    ladder.folder.orders.write_text('{"suspend": 3')
    for ask in (lambda: run(ladder, 2), lambda: suspend(ladder.folder, "ann.py", "")):
        with pytest.raises(InvalidInput, match=r"\.orders\.json: "):
            ask()
    ladder.folder.orders.unlink()
    executor, _, _ = run(ladder, 2)
    assert len(executor.played) == 2


def test_a_name_that_differs_in_case_only_does_not_take_part(ladder):
    put(ladder, "ann.py", 2)
    put(ladder, "bob.py", 1)
    run(ladder, 2)
    put(ladder, "Ann.py", 3)
    run(ladder, 2)
    assert "looks like that of ann.py" in read_state(ladder.folder).troubles["Ann.py"]


@pytest.mark.slow
def test_the_commands_say_what_they_do(tmp_path):
    course = tmp_path / "course"
    succeed("ladder", "init", course, "flood", "-m", 4)
    (course / "players" / "ann.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    succeed("ladder", "run", course, "--games", 2, "-j", 1)
    shown = succeed("ladder", "suspend", course, "ann.py", "--reason", "a copy")
    assert shown == "ann.py is to be suspended; the ladder does so within seconds while it runs\n"
    succeed("ladder", "run", course, "--games", 1, "-j", 1)
    assert "suspended: by an operator: a copy" in succeed("ladder", "table", course)
    assert "reinstated" in succeed("ladder", "reinstate", course, "ann.py")
    assert "did you mean" in refuse("ladder", "suspend", course, "anm.py").lower()
    assert "is withdrawn" in succeed("ladder", "withdraw", course, "ann.py")
    assert "no player" in refuse("ladder", "withdraw", course, "ann.py")


def test_only_players_with_files_are_suspended(ladder):
    put(ladder, "ann.py", 2)
    run(ladder, 2)
    for order in (reinstate, lambda folder, name: suspend(folder, name, "")):
        order(ladder.folder, "ann.py")
        with pytest.raises(NotFound):
            order(ladder.folder, "greedy")
