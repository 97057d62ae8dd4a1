"""What holds for the C players of every game, whatever its interface is."""

import platform
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting import foreign_player
from ludograph.hosting.exit_status import PROCESSORS, processor_of
from tests.amounts import slow_but
from tests.hosting.c_players import C_PLAYERS, EVENTS
from tests.hosting.fixtures import the_fault

LISTED = [name for name, of in C_PLAYERS.items() if of.first]
HARMLESS = [(name, fault) for name, of in C_PLAYERS.items() for fault in of.harmless]


@pytest.mark.parametrize("game", C_PLAYERS)
def test_the_header_for_authors_compiles(game, tmp_path):
    own = C_PLAYERS[game]
    (tmp_path / "player.h").write_text(own.header)
    for name in own.authors:
        flags = [f"-I{tmp_path}", "-Wextra", "-Werror", "-pedantic", *own.flags]
        assert own.build(name, tmp_path, flags=flags).is_file()


@pytest.mark.parametrize("game", C_PLAYERS)
def test_a_missing_function(game, libraries, referee):
    own = C_PLAYERS[game]
    fault = the_fault(referee(own.start(), ["random", libraries(game)("no_symbol")]))
    assert fault.reason == "no-start"
    assert f" '{own.missing}" in fault.message


@pytest.mark.parametrize("elsewhere", PROCESSORS)
def test_a_library_for_another_processor(elsewhere, library, referee, tmp_path):
    here = processor_of(library("wanderer"))
    assert PROCESSORS[here] == platform.machine()
    moved = tmp_path / "moved.so"
    content = bytearray(Path(library("wanderer")).read_bytes())
    content[18:20] = elsewhere.to_bytes(2, "little")
    moved.write_bytes(content)
    result = referee(C_PLAYERS["flood"].start(), ["random", str(moved)])
    if elsewhere == here:
        assert result.reason == "finished"
        return
    fault = the_fault(result)
    assert fault.reason == "no-start"
    for named in (f"{moved}: ", PROCESSORS[elsewhere], platform.machine()):
        assert named in fault.message


@pytest.mark.parametrize("game", ["flood", "hex"])
def test_libgsl_need_not_be_listed(game, libraries, referee):
    own = C_PLAYERS[game]
    name = {"flood": "wanderer", "hex": "shortest"}[game]
    players = [libraries(game)(name, link_gsl=False), "random"]
    assert referee(own.start(), players).reason == "finished"


@pytest.mark.parametrize("event", ["crash", "exit", "hang"])
@pytest.mark.parametrize("game", LISTED)
def test_a_fault_in_the_first_call(game, event, libraries, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 0.4)
    own = C_PLAYERS[game]
    misbehave = libraries(game)("misbehave", fault=f"{event}-{own.first}")
    fault = the_fault(referee(own.start(), ["random", misbehave]))
    assert (fault.reason, fault.ply) == ("no-start", 0)
    assert EVENTS[event][1] in fault.message


@pytest.mark.parametrize(("game", "fault"), slow_but(HARMLESS[::4], HARMLESS))
def test_what_does_no_harm(game, fault, libraries, tmp_path, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "FINISH_SECONDS", 0.3)
    own = C_PLAYERS[game]
    players = ["random", libraries(game)("misbehave", fault=fault)]
    if "propose" in fault:  # which the first player does
        players.reverse()
    # What happens at the end is remarked in the record, so that is not the same again.
    play = play_match if fault.endswith(own.last) else referee
    result = play(own.start(), players, record=tmp_path / "record.jsonl")
    assert (result.reason, result.faults) == ("finished", [])
    assert all(name.isprintable() and len(name) < 100 for name in result.names)
    assert any(name.startswith("misbehave") for name in result.names)
