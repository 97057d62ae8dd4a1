"""Machine code that comes with the package is taken where all that it was made from is the same."""

from pathlib import Path

import llvmlite.binding as llvm
import numba
import pytest

from ludograph.cli.doctor import kernels
from ludograph.rules import cache, precompiled
from ludograph.rules._numba import kernel_cache
from ludograph.rules._numba.compiler import made_by
from ludograph.rules.compilation import Kernel
from ludograph.rules.precompiled import TARGETS, Target, target_for

SIGNATURE = (numba.int64,)


def kernel_of(source: str) -> Kernel:
    """Return a kernel of a function ``rule`` that stands in this module."""
    space = {"__name__": __name__, "FACTOR": 5}
    exec(source, space)
    return Kernel(space["rule"])


def twice() -> Kernel:
    return kernel_of("def rule(number):\n    return 2 * number\n")


def was_found(kernel: Kernel) -> bool:
    """Tell whether a kernel that was called was found, not compiled."""
    return sum(kernel.entry(int).stats.cache_hits.values()) > 0


@pytest.fixture
def own_processor(monkeypatch):
    """Take this machine's processor for one that code may come for."""
    architecture = llvm.get_default_triple().partition("-")[0]
    monkeypatch.setitem(TARGETS, architecture, Target(llvm.get_host_cpu_name(), frozenset()))
    return architecture


@pytest.fixture
def package(own_processor, tmp_path, monkeypatch) -> Path:
    """The package's folder, with the machine code of ``twice``; the user's folder is empty."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "first"))
    kernel = twice()
    assert kernel(7) == 14
    assert not was_found(kernel)
    (made,) = (tmp_path / "first").glob("*.kernel")
    folder = tmp_path / "package"
    folder.mkdir()
    monkeypatch.setattr(precompiled, "FOLDER", folder)
    codegen = kernel.entry(int).targetctx.codegen()
    made.rename(kernel.entry(int)._cache.precompiled_path(SIGNATURE, codegen))
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    return folder


def made_in(folder: Path) -> int:
    return len(list(folder.glob("*.kernel")))


def test_it_is_taken_and_nothing_is_written(package, tmp_path) -> None:
    kernel = twice()
    assert kernel(8) == 16
    assert was_found(kernel)
    assert not (tmp_path / "kernels").exists()


def test_an_edited_rule_is_compiled(package, tmp_path) -> None:
    for source, result in (
        ("def rule(number):\n    return 3 * number\n", 24),
        ("def rule(number):\n    return number + 2\n", 10),
        ("def rule(number):\n    return FACTOR * number\n", 40),
    ):
        kernel = kernel_of(source)
        assert kernel(8) == result
        assert not was_found(kernel)
    assert made_in(tmp_path / "kernels") == 3
    assert made_in(package) == 1


def test_code_of_another_compiler_is_not_taken(package, monkeypatch) -> None:
    monkeypatch.setattr(kernel_cache, "compiler_digest", lambda: "of another version of Numba")
    kernel = twice()
    assert kernel(8) == 16
    assert not was_found(kernel)


def test_code_for_a_better_processor_is_not_taken(package, own_processor, monkeypatch) -> None:
    target = Target(llvm.get_host_cpu_name(), frozenset({"no-processor-has-this"}))
    monkeypatch.setitem(TARGETS, own_processor, target)
    kernel = twice()
    assert kernel(8) == 16
    assert not was_found(kernel)


def test_damaged_code_is_not_taken(package, capsys) -> None:
    (path,) = package.iterdir()
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    kernel = twice()
    assert kernel(8) == 16
    assert not was_found(kernel)
    assert f"{path} is damaged" in capsys.readouterr().err
    assert path.read_bytes() == content[:-1]


def test_what_the_user_has_comes_first(package, tmp_path) -> None:
    (path,) = package.iterdir()
    kernel = twice()
    own = kernel.entry(int)._cache.path(SIGNATURE, kernel.entry(int).targetctx.codegen())
    own.parent.mkdir()
    own.write_bytes(path.read_bytes())
    path.write_bytes(b"damaged, and nobody looks at it")
    assert kernel(8) == 16
    assert was_found(kernel)


def test_doctor_tells_whether_it_can_be_used(package, own_processor) -> None:
    check = kernels()
    assert check.state.endswith("; 1 in the package")
    assert "processor" in check.advice
    (package / precompiled.MADE_BY).write_text(made_by(TARGETS[own_processor]))
    assert not kernels().advice


@pytest.mark.parametrize(
    ("architecture", "features", "name"),
    [
        ("x86_64", ",".join(f"+{each}" for each in TARGETS["x86_64"].features), "x86-64-v3"),
        ("x86_64", "+64bit,+sse2,+avx2,-fma", None),
        ("x86_64", "", None),
        ("aarch64", "+neon,+sve", "generic"),
        ("aarch64", "-aes,-rand,-sha2,-sve", "generic"),  # in an emulator on x86-64
        ("riscv64", "+v", None),
    ],
)
def test_what_a_processor_can_run(architecture, features, name) -> None:
    target = target_for(architecture, features)
    assert (target and target.name) == name
