"""OpenSpiel's own test, algorithms and bots run on our games."""

import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins, play_match, rules
from ludograph.errors import GameFault, IllegalMove, InvalidInput
from ludograph.rules import random_state
from tests import openspiel as installed
from tests.amounts import few
from tests.toys.nim_game import NimGame, nim_game

pyspiel = installed.part("pyspiel")
openspiel = pytest.importorskip("ludograph.rl.openspiel")
mcts = installed.part("open_spiel.python.algorithms.mcts")
minimax = installed.part("open_spiel.python.algorithms.minimax")

pytestmark = pytest.mark.slow  # make test does not install OpenSpiel

STARTS = {
    "hex": lambda: hex.position(4),
    "flood": lambda: flood.position("square:5", seed=2, forbidden="same:1"),
    "flood alone": lambda: flood.position("square:4", seats=1),
    "penguins for three": lambda: penguins.position("full-tetra:5", seats=3, penguins=1),
    "carcassonne": lambda: carcassonne.position(deck="course:12"),
    "official carcassonne": lambda: carcassonne.position(rules="official", deck="course:12"),
    "amazons": lambda: amazons.position("square:4", queens=1),
    "amazons by parts": lambda: amazons.position("square:10"),
    "nim": nim_game.position,
}


@pytest.mark.parametrize("name", STARTS)
def test_openspiels_own_test_passes(name, capfd) -> None:
    pyspiel.random_sim_test(openspiel.load(STARTS[name]()), few(1, 4), True, False)
    capfd.readouterr()


def test_options_are_parameters() -> None:
    def start(text):
        return pyspiel.load_game(text).new_initial_state().position

    assert start("ludograph_hex(board=hexagonal:5,pie=False)") == hex.position(5, pie=False)
    three = flood.position(colors=4, seats=3, seed=9)
    assert start("ludograph_flood(colors=4,seats=3,seed=9)") == three
    official = carcassonne.position(rules="official", deck="course:12")
    assert start("ludograph_carcassonne(rules=official,deck=course:12)") == official


def test_mistakes_in_parameters_are_sentences() -> None:
    with pytest.raises(InvalidInput, match="penguins must be a whole number"):
        pyspiel.load_game("ludograph_penguins(penguins=-1)")
    with pytest.raises(InvalidInput, match="start is not a word"):
        pyspiel.load_game("ludograph_hex(start=nonsense)")


def test_states_go_to_other_processes(tmp_path) -> None:
    board = boards.from_networkx(nx.petersen_graph(), name="petersen")
    position = flood.position(board, colors=3, seed=1)
    position.play_random(random_state(1))
    state = openspiel.load(position.game.restore(board, position.game.describe(position)))
    state = state.state_at(position)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps(state))
    code = (
        "import pickle, sys\nfrom pathlib import Path\nfrom ludograph.rl import openspiel\n"
        "print(pickle.loads(Path(sys.argv[1]).read_bytes()))"
    )
    run = [sys.executable, "-c", code, str(file)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)  # also at its end
    assert done.stdout.strip() == str(position).strip()


def test_amazons_by_parts_is_openspiels_amazons() -> None:
    ours = openspiel.load(amazons.position("square:10")).new_initial_state()
    theirs = pyspiel.load_game("amazons").new_initial_state()
    rng = np.random.default_rng(3)
    assert ours.num_distinct_actions() == theirs.num_distinct_actions()
    while not ours.is_terminal():
        assert ours.current_player() == theirs.current_player()
        assert ours.legal_actions() == theirs.legal_actions()
        action = int(rng.choice(ours.legal_actions()))
        ours.apply_action(action)
        theirs.apply_action(action)
    assert theirs.is_terminal()
    assert ours.returns() == theirs.returns()


def test_a_history_has_no_more_actions_than_its_game_says() -> None:
    game = openspiel.load(amazons.position("square:10"))
    assert game.max_history_length() == game.max_game_length()  # no move is of chance
    game = openspiel.load(carcassonne.position(deck="course:12"))
    assert game.max_chance_nodes_in_history() >= 12


def test_chance_has_its_probabilities() -> None:
    state = openspiel.load(carcassonne.position(deck="classic")).new_initial_state()
    position = state.position
    outcomes = state.chance_outcomes()
    shares = np.zeros(len(outcomes))
    moves = np.array(position.legal_moves(), np.int32)
    rules.weights(position.setup, position.state, moves, shares)
    assert [share for _, share in outcomes] == shares.tolist()
    assert len(set(shares.tolist())) > 1
    place = len(outcomes) - 1
    assert state.action_to_string(-1, place) == position.text(int(moves[place]))
    state.apply_action(place)
    position.play(int(moves[place]))
    assert state.position == position


def test_the_tensor_is_the_observation_of_a_seat() -> None:
    game = openspiel.load(amazons.position("square:10"))
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for seat in range(2):
        seen = state.position.observe(seat)
        begun = np.zeros(game.num_distinct_actions())
        begun[state.history()[0]] = 1.0
        tensor = [*seen["vertices"].ravel(), *seen["game"], *begun]
        assert state.observation_tensor(seat) == tensor
    assert game.observation_tensor_shape() == [len(tensor)]


def test_a_copy_is_a_game_of_its_own() -> None:
    state = openspiel.load(hex.position(3, pie=False)).new_initial_state()
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert state.position == hex.position(3, pie=False)
    assert copy.position != state.position


class AlphaBetaBot:
    def __init__(self, game):
        self.game = game

    def step(self, state):
        return minimax.alpha_beta_search(self.game, state)[1]


def mcts_bot(game):
    return mcts.MCTSBot(
        game,
        1.4,
        100,
        mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1)),
        random_state=np.random.RandomState(2),
    )


def test_their_solver_agrees_with_ours_on_any_graph() -> None:
    values, found = {"win": 1.0, "draw": 0.0, "loss": -1.0}, set()
    for seed in range(6):
        tree = nx.random_labeled_tree(6 + seed % 3, seed=seed)
        position = flood.position(boards.from_networkx(tree), colors=3, seed=seed)
        verdict = flood.solving.solve(position, 60.0).verdict
        assert minimax.alpha_beta_search(openspiel.load(position))[0] == values[verdict]
        found.add(verdict)
    assert found == {"win", "draw", "loss"}


def test_their_learners_run_on_any_graph() -> None:
    rl_environment = installed.part("open_spiel.python.rl_environment")
    learners = installed.part("open_spiel.python.algorithms.tabular_qlearner")
    board = boards.from_networkx(nx.petersen_graph())
    environment = rl_environment.Environment(openspiel.load(flood.position(board, colors=3)))
    actions = environment.action_spec()["num_actions"]
    agents = [learners.QLearner(player_id=seat, num_actions=actions) for seat in range(2)]
    step = environment.reset()
    while not step.last():
        action = agents[step.observations["current_player"]].step(step).action
        step = environment.step([action])
    assert sum(step.rewards) == 0.0


@pytest.mark.parametrize(
    ("bot", "start"),
    [
        (mcts_bot, lambda: hex.position(4)),
        (AlphaBetaBot, lambda: hex.position(3, pie=False)),
        (mcts_bot, lambda: amazons.position("square:6", queens=1)),
        (mcts_bot, lambda: carcassonne.position(deck="course:12")),
    ],
)
def test_their_bots_are_players_of_ours(bot, start) -> None:
    result = play_match(start(), [openspiel.OpenSpielPlayer(bot), "random"], seed=1)
    assert not result.faults
    assert result.outcome.winner == 0


def test_of_two_games_of_one_name_the_one_of_the_start_is_loaded() -> None:
    class OtherNim(NimGame):
        pass

    for game in (nim_game, OtherNim(), nim_game):
        state = openspiel.load(game.position()).new_initial_state()
        assert state.position.game is game


def test_a_bot_needs_the_moves_that_led_to_a_position() -> None:
    start = penguins.position("full-tetra:5", seats=3, penguins=1)
    position = start.copy()
    position.drop(1)
    with pytest.raises(InvalidInput, match="the moves that led to"):
        openspiel.load(start).state_at(position)


def test_a_position_of_another_board_has_no_state() -> None:
    position = hex.position(5)
    position.play(position.legal_moves()[-1])  # a code that the smaller board does not have
    with pytest.raises(InvalidInput, match="the moves that led to"):
        openspiel.load(hex.position(3)).state_at(position)


@pytest.mark.parametrize("begun", [0, 1])
def test_an_illegal_action_changes_nothing(begun) -> None:
    state = openspiel.load(amazons.position("square:10")).new_initial_state()
    for _ in range(begun):
        state.apply_action(state.legal_actions()[0])
    before = state.node
    for action in (9999, before.begun[0] if begun else 0):
        with pytest.raises(IllegalMove, match=f"^openspiel: action {action} is not legal$"):
            state.apply_action(action)
    assert state.node is before
    assert len(state.history()) == begun


def test_moves_that_look_the_same_are_refused(monkeypatch) -> None:
    position = amazons.position("square:10")

    def touch(setup, state, moves, kinds, ends, vertices):
        kinds[:], vertices[:], ends[:] = 0, 1, np.arange(1, moves.size + 1)

    monkeypatch.setattr(rules, "touch", touch)
    with pytest.raises(GameFault, match="amazons: touch does not tell all moves"):
        openspiel.described_moves(position)
