"""What contributors and services read beside the documentation: it names what there is."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent.parent
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SETTINGS = [
    *sorted((ROOT / ".github").rglob("*.yml")),
    ROOT / ".pre-commit-config.yaml",
    ROOT / "CITATION.cff",
]
TEXTS = ["CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", ".github/pull_request_template.md"]


@pytest.mark.parametrize("file", SETTINGS, ids=lambda file: str(file.relative_to(ROOT)))
def test_settings_are_mappings(file):
    assert yaml.safe_load(file.read_text())


@pytest.mark.parametrize(
    "file", [*SETTINGS, *(ROOT / text for text in TEXTS)], ids=lambda f: f.name
)
def test_targets_of_make_exist(file):
    named = set(re.findall(r"make ([a-z-]+)", file.read_text()))
    assert named - {"sure"} <= TARGETS


@pytest.mark.parametrize("text", TEXTS)
def test_links_lead_somewhere(text):
    for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / text).read_text()):
        assert (ROOT / link).exists(), link


def test_workflows_run_what_continuous_integration_runs():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    commands = {step["run"] for job in jobs.values() for step in job["steps"] if "run" in step}
    ours = set(re.findall(r"(?:^|then )(make (?!\.)[a-z-]+)", (ROOT / ".ci/run").read_text(), re.M))
    assert commands == ours


def test_workflows_try_the_versions_of_python_that_are_declared():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert jobs["test"]["strategy"]["matrix"]["python-version"] == declared


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])
