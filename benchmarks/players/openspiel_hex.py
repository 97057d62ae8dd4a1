"""OpenSpiel's MCTSBot as a player of Hex; it gets all moves of the game."""

import pyspiel


class Mcts:
    """The bot, with as many simulations, or as many seconds, for each move."""

    def __init__(self, sims: int = 100_000_000, time: float = -1.0):
        self.sims, self.time = sims, time

    def prepare(self, position):
        """Make the bot."""
        self.size = position.size
        self.game = pyspiel.load_game(f"hex(board_size={self.size})")
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        self.bot = pyspiel.MCTSBot(
            self.game, evaluator, 1.4, self.sims, 2000, True, 1, False,
            max_wall_clock_time=self.time,
        )  # fmt: skip

    def choose(self, position):
        """Return the bot's move; a board of ours has a row and a column more on each side."""
        state = self.game.new_initial_state()
        for move in position.history:
            row, column = divmod(move, self.size + 2)
            state.apply_action((row - 1) * self.size + column - 1)
        row, column = divmod(self.bot.step(state), self.size)
        return (row + 1) * (self.size + 2) + column + 1
