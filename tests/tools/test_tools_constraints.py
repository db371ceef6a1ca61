"""The constraints: everything pulled in and nothing that is stated already."""

from pathlib import Path

from tools.constraints import constraints, plain

ROOT = Path(__file__).parents[2]


def test_direct_pins_local_builds_and_torchs_own_choices_are_kept_out():
    frozen = "PyYAML==6.0.4\ntorch==2.13.0+cpu\nnvidia-nccl==2\nzipp==4.1.2\nsphinx_design==0.8.0\n"
    assert constraints(frozen, "torch==2.13.0\npyyaml==6.0.4\n") == [
        "sphinx_design==0.8.0",
        "zipp==4.1.2",
    ]


def test_no_package_is_pinned_twice():
    lines = [
        plain(line.partition("==")[0])
        for name in ("requirements.txt", "constraints.txt")
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    ]
    assert len(lines) > 100
    assert len(lines) == len(set(lines))
