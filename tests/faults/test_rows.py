"""Which tests hold what players can do wrong: every row of the table names tests that exist.

All tests of ``tests/faults`` and those named here are refereed games: verdict, reason, time, no
process left behind, a record that reads the same.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
FORMS = "faults/test_forms.py::test_a_fault_is_a_forfeit"
HARMLESS = "faults/test_forms.py::test_harmless"
PYTHON, LIBRARY = "faults/test_python_faults.py::", "faults/test_library_faults.py::"
KEEPER, HOGS = "players/test_keeper.py::", "players/isolation/test_hogs.py::"
ATTACKS = "players/isolation/test_attacks.py::test_nothing_outside_is_reached"
PROCESSES, LEVELS = "players/isolation/test_processes.py::", "players/isolation/test_levels.py::"
RECORDS, MATCH = "referee/test_records.py::", "referee/test_match.py::"

ROWS = {
    "crashes while thinking": [FORMS, PYTHON + "test_a_fault_is_a_forfeit"],
    "cannot start": [
        PYTHON + "test_what_cannot_start",
        LIBRARY + "test_not_a_library",
        LIBRARY + "test_a_missing_function",
        LIBRARY + "test_hang_in_initialize",
        LIBRARY + "test_exit_in_initialize",
    ],
    "loops, or blocks": [FORMS, KEEPER + "test_killed_within_50_ms_of_the_deadline"],
    "illegal move": [FORMS, MATCH + "test_an_illegal_move_is_in_the_record"],
    "malformed answer": [FORMS, PYTHON + "test_answers"],
    "endless output": [
        FORMS,
        HARMLESS,
        "players/test_channel.py::test_a_frame_too_long_is_not_waited_for",
        "players/test_channel.py::test_a_log_keeps_head_and_tail",
    ],
    "prints on stdout": [HARMLESS, PYTHON + "test_a_flood_of_output_is_harmless"],
    "does not flush": [FORMS, "players/test_programs.py::test_a_fault_is_a_forfeit"],
    "exits during the opponent's turn": [LIBRARY + "test_exit_during_the_opponents_turn"],
    "memory bomb": [HOGS + "test_a_memory_bomb_in_python", HOGS + "test_a_memory_bomb_in_c"],
    "forks, threads, daemons": [
        KEEPER + "test_a_bomb_of_forks",
        KEEPER + "test_daemons_die_with_their_player",
        HOGS + "test_processes_are_bounded",
        HOGS + "test_threads_are_bounded",
    ],
    "reads what is not its own": [ATTACKS],
    "network": [ATTACKS],
    "signals others": [
        ATTACKS,
        PROCESSES + "test_signals_to_everybody_reach_its_own_processes_only",
    ],
    "ignores SIGTERM": [FORMS],
    "thinks on the opponent's time": [
        PYTHON + "test_thinking_on_the_opponents_time_is_impossible",
        PROCESSES + "test_it_is_suspended_while_others_think",
    ],
    "writes into what it was given": [
        HARMLESS,
        "players/test_protocol.py::test_a_chooser_may_play_on_what_it_gets",
    ],
    "strange name": [LIBRARY + "test_names_are_shown_safely"],
    "damaged record": [
        RECORDS + "test_cut_off_anywhere_it_is_read_up_to_there",
        RECORDS + "test_edited_to_hold_an_illegal_move",
        RECORDS + "test_gigantic_lines",
        RECORDS + "test_damage_of_any_kind_is_never_another_error",
        "fuzz/test_fuzz.py::test_nothing_but_refusals",
    ],
    "no sandbox": [
        LEVELS + "test_where_no_level_holds_players_of_files_are_refused",
        LEVELS + "test_a_level_that_does_not_hold_is_not_replaced",
        LEVELS + "test_without_user_namespaces_the_next_level_is_taken",
    ],
    "damaged compiled code": [
        "rules/test_cache.py::test_damaged_files_are_made_anew",
        "rules/test_cache.py::test_where_nothing_can_be_kept",
        ATTACKS,
    ],
    "an output over an input": [
        "cli/test_overwriting.py::test_a_game_is_not_recorded_over_its_own_board",
        "cli/test_overwriting.py::test_a_file_appears_whole_or_not_at_all",
    ],
    "attacks its keeper": [
        KEEPER + "test_a_player_that_attacks_its_keeper",
        PROCESSES + "test_its_keeper_cannot_be_attacked",
        "players/test_warm.py::test_it_is_attacked_by_a_player",
    ],
    "Ctrl-C": [
        "cli/test_interrupt.py::test_ctrl_c",
        "cli/test_interrupt.py::test_ctrl_c_while_code_loads",
        "cli/test_interrupt.py::test_the_second_ctrl_c_ends_at_once",
    ],
    "closed streams": ["cli/test_streams.py::test_the_machine_fails"],
    "objects misused": [
        "games/test_misuse.py::test_after_the_end_nothing_is_played",
        "games/test_misuse.py::test_only_seats_that_are_there_drop_out",
        "games/test_misuse.py::test_a_state_has_the_size_of_the_game",
    ],
}


@cache
def functions_of(path):
    """Return the names of the functions in a file."""
    tree = ast.parse((TESTS / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS)
def test_every_row_is_tested(row):
    for test in ROWS[row]:
        path, _, name = test.partition("::")
        assert name in functions_of(path), test
