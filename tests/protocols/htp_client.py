"""A scripted front end for our engine."""

import io

from ludograph.protocols.htp import HtpServer, engine_of, strategy_spec


class Client:
    """Sends commands to an engine and looks at the frames of its responses."""

    def __init__(self, strategy="random", **options):
        self.engine = engine_of(strategy_spec(strategy), **{"size": 5, **options})
        self.server = HtpServer(self.engine)

    def send(self, line):
        out = io.StringIO()
        self.server.serve([line + "\n"], out)
        text = out.getvalue()
        assert text.endswith("\n\n")
        assert text.count("\n\n") == 1
        return text.removesuffix("\n\n")

    def ask(self, line):
        text = self.send(line)
        assert text.startswith("="), text
        return text[1:].strip(" ")

    def fail(self, line):
        text = self.send(line)
        assert text.startswith("? "), text
        return text[2:]
