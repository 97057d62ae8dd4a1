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
SUPERVISOR, HOGS = "hosting/test_supervisor.py::", "hosting/sandbox/test_hogs.py::"
ATTACKS = "hosting/sandbox/test_attacks.py::test_nothing_outside_is_reached"
PROCESSES, LEVELS = "hosting/sandbox/test_processes.py::", "hosting/sandbox/test_levels.py::"
USERS = "hosting/sandbox/test_limits_of_users.py::"
HIDDEN = "hosting/sandbox/test_hidden_memory.py::"
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
    "loops, or blocks": [FORMS, SUPERVISOR + "test_killed_soon_after_the_deadline"],
    "illegal move": [FORMS, MATCH + "test_an_illegal_move_is_in_the_record"],
    "malformed answer": [FORMS, PYTHON + "test_answers"],
    "endless output": [
        FORMS,
        HARMLESS,
        "hosting/test_channel.py::test_a_frame_too_long_is_not_waited_for",
        "hosting/test_channel.py::test_a_log_keeps_head_and_tail",
    ],
    "prints on stdout": [HARMLESS, PYTHON + "test_a_flood_of_output_is_harmless"],
    "does not flush": [FORMS, "hosting/test_programs.py::test_a_fault_is_a_forfeit"],
    "exits during the opponent's turn": [LIBRARY + "test_exit_during_the_opponents_turn"],
    "memory bomb": [HOGS + "test_a_memory_bomb_in_python", HOGS + "test_a_memory_bomb_in_c"],
    "forks, threads, daemons": [
        SUPERVISOR + "test_a_bomb_of_forks",
        SUPERVISOR + "test_daemons_die_with_their_player",
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
    "attacks its supervisor": [
        SUPERVISOR + "test_a_player_that_attacks_its_supervisor",
        SUPERVISOR + "test_a_daemon_of_a_player_that_kills_its_supervisor",
        SUPERVISOR + "test_a_chain_of_a_player_that_kills_its_supervisor",
        SUPERVISOR + "test_the_referee_is_killed_after_a_supervisor",
        PROCESSES + "test_its_supervisor_cannot_be_attacked",
        "hosting/test_forkserver.py::test_it_is_attacked_by_a_player",
    ],
    "Ctrl-C": [
        "cli/test_interrupt.py::test_ctrl_c",
        "cli/test_interrupt.py::test_ctrl_c_while_code_loads",
        "cli/test_interrupt.py::test_the_second_ctrl_c_ends_at_once",
    ],
    "foresees chance": [
        "faults/test_foresight.py::test_a_match",
        "faults/test_foresight.py::test_a_series",
        "faults/test_foresight.py::test_a_tournament",
        "faults/test_foresight.py::test_a_ladder_tells_no_seed_of_chance",
        "referee/test_seed.py::test_what_follows_from_a_seed_is_independent",
    ],
    "memory that is resident in no process": [
        HIDDEN + "test_shared_memory_cannot_be_made",
        HIDDEN + "test_what_the_kernel_keeps_for_a_player_counts",
        HIDDEN + "test_memory_that_would_be_counted_nowhere_cannot_be_had",
        HIDDEN + "test_files_in_memory_count",
        HIDDEN + "test_sockets_count_in_many_processes_with_few_open_files",
        "cli/test_doctor.py::test_what_is_not_bounded_is_said",
    ],
    "what the kernel limits for a user": [
        USERS + "test_descriptors_on_their_way_stop_no_command_of_the_same_user",
        USERS + "test_open_files_stay_in_the_table_of_their_process",
        USERS + "test_the_referee_has_all_files_that_it_may_and_players_the_usual_number",
        "cli/test_streams.py::test_a_file_for_which_the_machine_has_no_descriptor_is_no_wrong_input",
        "arena/test_workers.py::test_a_game_for_which_the_machine_lacks_something_is_void",
        "web/server/test_serve.py::test_it_needs_nothing_that_the_kernel_counts_for_all_players_of_a_user",
        "cli/test_doctor.py::test_what_players_of_one_user_share_is_said",
    ],
    "a path of the referee that leads to secrets": [
        "hosting/sandbox/test_search_paths.py::test_a_player_reads_only_its_own_folder",
        "hosting/sandbox/test_search_paths.py::test_each_way_to_the_current_folder",
        "hosting/sandbox/test_search_paths.py::test_withheld_files_are_hidden_wherever_they_lie",
    ],
    "changes files of the user, leaves messages": [
        "hosting/sandbox/test_files_of_the_user.py::"
        "test_nothing_about_the_files_of_the_user_changes",
        "hosting/sandbox/test_messages.py::test_no_message_is_left_on_a_file",
        "hosting/sandbox/test_kernel_interface.py::test_only_listed_commands_exist",
        "hosting/sandbox/test_kernel_interface.py::"
        "test_no_file_is_emptied_where_landlock_knows_no_truncation",
    ],
    "text of a stranger elsewhere": [
        "views/test_table.py::test_no_spreadsheet_finds_a_formula_whatever_separates_cells",
        "views/test_table.py::test_no_form_of_a_table_has_control_characters_or_direction_marks",
        "web/server/test_middleware.py::test_no_page_has_characters_that_turn_what_is_around_them",
    ],
    "requests that never end": [
        "web/server/test_connections.py::test_pages_answer_whatever_number_of_heads_does_not_end",
        "web/server/test_connections.py::test_a_request_that_does_not_end_has_a_deadline",
        "web/server/test_connections.py::test_an_address_has_half_of_the_connections_unless_it_is_a_proxy",
    ],
    "an author's function beyond its arrays": [
        "search/custom/test_indices.py::test_each_function_of_each_search",
        "games/test_own_rules.py::test_a_rule_or_hint_beyond_its_arrays_makes_no_position",
    ],
    "names that an author chooses": [
        "games/test_declaration.py::"
        "test_a_name_that_something_else_has_is_refused_at_the_declaration",
        "games/test_declaration.py::test_all_names_of_our_own_are_reserved",
    ],
    "another processor": [
        "boards/test_processors.py::test_boards_are_drawn_alike_with_the_kernels_of_each_processor",
        "golden/test_processors.py::test_games_answers_and_ratings_are_the_same_on_an_old_processor",
    ],
    "a deadline under bombs": [
        "hosting/sandbox/test_bombs.py::test_a_bomb_loses_and_leaves_nothing"
    ],
    "a store that was damaged": [
        "cli/test_damaged_store.py::test_a_store_that_was_cut_short",
        "cli/test_damaged_store.py::test_one_bit_of_names_settings_or_seeds_is_said_on_opening",
        "arena/test_store.py::test_what_cannot_have_been_written_is_told",
    ],
    "a size that no machine can hold": [
        "cli/test_sizes.py::test_a_huge_game_is_refused_at_once",
        "cli/test_sizes.py::test_every_game_bounds_every_family",
        "boards/test_layout.py::test_a_dense_graph_is_drawn_with_bounded_work",
        "cli/test_flood.py::test_a_dense_board_from_a_file",
    ],
    "cheap requests for costly answers": [
        "web/server/test_work_pools.py::test_pages_answer_while_costly_things_are_asked_for_and_the_server_ends",
        "web/match/test_match_manager.py::test_a_match_at_which_nobody_is_makes_room_the_oldest_first",
        "web/server/test_access.py::test_a_right_token_is_taken_whatever_others_have_tried",
    ],
    "the knowledge of another game": [
        "games/test_variants.py::test_a_variant_is_solved_by_its_own_rules",
        "games/test_variants.py::test_solvers_of_one_game_do_not_answer_for_its_variants",
    ],
    "a tool that outlives its command": [
        "hosting/test_debug_tools.py::test_an_interrupted_command_leaves_no_tool",
    ],
    "closed streams": ["cli/test_streams.py::test_the_machine_fails"],
    "objects misused": [
        "games/test_misuse.py::test_after_the_end_nothing_is_played",
        "games/test_misuse.py::test_only_seats_that_are_there_drop_out",
        "games/test_misuse.py::test_a_state_has_the_size_of_the_game",
    ],
    "stops a ladder": [
        "cli/test_ladder.py::test_games_go_on_while_a_source_is_compiled",
        "cli/test_ladder.py::test_a_player_that_cannot_start_plays_one_game",
        "arena/ladder/test_submission.py::test_a_source_becomes_a_library_whatever_its_name",
        "arena/ladder/test_submission.py::"
        "test_a_compiler_that_does_not_end_is_ended_and_its_author_has_a_budget",
        "cli/test_ladder.py::test_a_new_version_that_starts_slowly_holds_one_process_and_no_more",
        "cli/test_ladder.py::test_a_player_that_starts_slowly_does_not_hold_up_others",
        "hosting/test_clocks.py::test_a_start_has_a_clock_of_its_own",
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
