"""A trial load of a C player finds what its first call would miss in the middle of a game."""

import re
import subprocess
from pathlib import Path

import pytest

from ludograph.games.registry import game
from ludograph.hosting.compiler import compilation, loaded_once
from ludograph.hosting.sandboxed_command import Build
from ludograph.players.isolation import Isolation
from ludograph.players.spec import parse_player

pytestmark = pytest.mark.slow


NAMES = game("flood").interop.library.symbols
ALL = "".join(f"void {name}(void) {{}}\n" for name in NAMES)
"""All functions that a player of Flood must have."""


@pytest.fixture
def trouble(tmp_path):
    """A function that compiles a player, loads it in a trial, and returns what is wrong."""

    def tried(source, own=ALL):
        (tmp_path / "bot.c").write_text(f"{source}\n{own}")
        library = tmp_path / "bot.so"
        command = ["gcc", "-w", "-shared", "-fPIC", tmp_path / "bot.c", "-o", library]
        subprocess.run(command, check=True)
        tmp_path.chmod(0o755)
        return loaded_once(parse_player(str(library), game("flood")), game("flood"), None)

    return tried


def test_a_function_that_nobody_defines_is_named(trouble):
    told = trouble("int my_own(); int f(void) { return my_own(); }")
    assert "my_own" in told
    assert "Debian" not in told
    told = trouble("int gsl_nowhere(); int f(void) { return gsl_nowhere(); }")
    assert re.search("gsl_nowhere.*Debian.* libgsl27 .*libgsl-dev", told)


def test_a_function_of_the_interface_that_is_missing_is_named(trouble):
    """One that other files do not see is missing, too."""
    for name in NAMES:
        told = trouble("", ALL.replace(f"void {name}(", "static void hidden("))
        assert re.search(rf"\b{name}\b", told)
        assert "bot.so" in told
    assert trouble(f"void {NAMES[0]}(void);", ALL.replace(f"void {NAMES[0]}", "static int f"))
    assert trouble("") == ""


def test_functions_of_the_libraries_that_a_host_loads_are_found(trouble):
    """Players of the courses seldom list them."""
    assert trouble('#include <math.h>\ndouble f(double x) { return puts("x") + pow(x, x); }') == ""
    assert trouble("void *gsl_vector_alloc(); void *f(void) { return gsl_vector_alloc(3); }") == ""
    assert trouble("int may() __attribute__((weak)); int f(void) { return may ? may() : 0; }") == ""


def test_a_library_that_prints_or_crashes_when_it_is_loaded_is_judged_where_it_plays(trouble):
    begin = "__attribute__((constructor)) void begin(void)"
    assert trouble(f'{begin} {{ puts("cannot be loaded"); fflush(0); }}') == ""
    assert trouble(f"{begin} {{ *(volatile int *)0 = 1; }}") == ""


def test_what_a_library_writes_itself_is_one_short_line(trouble):
    name = "x" * 3000
    assert len(trouble(f"int {name}(); int f(void) {{ return {name}(); }}")) < 500
    forged = r"{\"id\":2,\"text\":\"\\u001b[31m\\nred\"}"
    told = trouble(
        "#include <string.h>\n#include <unistd.h>\n__attribute__((constructor)) void begin(void) {"
        f'char frame[99] = "", text[] = "{forged}"; int size = sizeof text - 1;'
        "memcpy(frame, &size, 4); memcpy(frame + 4, text, size);"
        "for (int k = 3; k < 1024; k++) write(k, frame, size + 4); }"
    )
    assert "red" in told
    assert told.isprintable()


def test_a_library_that_prints_or_crashes_behind_its_compiler_is_kept(tmp_path):
    begin = "__attribute__((constructor)) void begin(void)"
    for act in ('puts("loud"); fflush(0);', "*(volatile int *)0 = 1;"):
        (tmp_path / "bot.c").write_text(f"#include <stdio.h>\n{begin} {{ {act} }}\n{ALL}")
        tmp_path.chmod(0o755)
        interface = game("flood").interop.library
        built = Build(compilation(["bot.c"], tmp_path, interface), Isolation()).awaited()
        assert built.file.startswith(b"\x7fELF")
        assert (built.said, built.unloadable) == ("", "")


def test_a_library_that_kills_its_supervisor_leaves_no_process(trouble, monkeypatch, tmp_path):
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    path = tmp_path / "pid"
    source = f"""
        #include <signal.h>
        #include <stdio.h>
        #include <unistd.h>
        __attribute__((constructor)) void begin(void) {{
            int supervisor = getppid();
            if (fork() == 0) {{
                setsid();
                FILE *file = fopen("{path}.new", "w");
                fprintf(file, "%d ", getpid());
                fclose(file);
                rename("{path}.new", "{path}");
                execle("/bin/sleep", "sleep", "1000", NULL, (char *[]) {{ 0 }});
            }}
            while (access("{path}", F_OK)) usleep(1000);
            kill(supervisor, SIGKILL);
            sleep(10);
        }}
    """
    trouble(source)
    assert not Path("/proc", path.read_text().strip()).exists()
