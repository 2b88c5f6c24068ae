"""The package as a whole: what it exports and documents, and that the example of its README runs."""

from __future__ import annotations

import importlib.metadata
import inspect
import pickle
import re
from pathlib import Path
from types import ModuleType

import dualseal
import dualseal.arrow
import dualseal.operator
import pytest

from conftest import Deployment, Log, agree

ERRORS = [
    (dualseal.MalformedError, (dualseal.DualsealError, ValueError)),
    (dualseal.RejectedError, (dualseal.DualsealError,)),
    (dualseal.MisuseError, (dualseal.DualsealError,)),
    (dualseal.RandomnessError, (dualseal.DualsealError,)),
    (dualseal.InvalidError, (dualseal.VerdictError, dualseal.DualsealError)),
    (dualseal.RevokedError, (dualseal.VerdictError,)),
    (dualseal.SuspendedError, (dualseal.VerdictError,)),
    (dualseal.DecoyError, (dualseal.VerdictError,)),
    (dualseal.NotForcedError, (OSError,)),
    (dualseal.operator.StepError, (dualseal.DualsealError,)),
    (dualseal.operator.RefusedError, (dualseal.DualsealError,)),
    (dualseal.operator.FolderError, (dualseal.DualsealError,)),
    (dualseal.arrow.ColumnError, (dualseal.DualsealError, ValueError)),
]


def test_the_example_of_the_readme_runs() -> None:
    readme = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 1
    scope: dict[str, object] = {}
    exec(compile(examples[0], "README.md", "exec"), scope)
    assert isinstance(scope["record"], dualseal.SignatureRecord)


@pytest.mark.parametrize("module", [dualseal, dualseal.arrow, dualseal.operator])
def test_everything_that_is_exported_is_documented(module: ModuleType) -> None:
    assert sorted(module.__all__) == sorted({*module.__all__})
    for name in module.__all__:
        if name == "__version__":
            continue
        exported = getattr(module, name)
        assert inspect.getdoc(exported), name
        if not inspect.isclass(exported):
            continue
        assert exported.__module__ == module.__name__, name
        for member, value in vars(exported).items():
            if not member.startswith("_") and callable(value):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_the_version_is_the_wheels() -> None:
    assert dualseal.__version__ == importlib.metadata.version("dualseal")


def test_the_package_has_types() -> None:
    package = Path(dualseal.__file__).parent
    assert package.joinpath("py.typed").exists()
    assert package.joinpath("__init__.pyi").exists()


@pytest.mark.parametrize(("error", "bases"), ERRORS)
def test_the_families_of_errors(error: type[Exception], bases: tuple[type[Exception], ...]) -> None:
    assert error.__module__ in {"dualseal", "dualseal.arrow", "dualseal.operator"}
    for base in bases:
        assert issubclass(error, base)
    families = [dualseal.MalformedError, dualseal.RejectedError, dualseal.MisuseError, dualseal.VerdictError]
    assert sum(issubclass(error, family) for family in families) <= 1


def test_a_malformed_error_survives_pickling() -> None:
    with pytest.raises(dualseal.MalformedError) as caught:
        dualseal.PublicKey.from_hex("0g" * 1952)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.field, again.index, again.code) == (dualseal.MalformedError, "javni_kljuc", 1, 101)
    assert str(again) == str(caught.value)


def test_a_rejected_error_survives_pickling(deployment: Deployment, log: Log) -> None:
    with pytest.raises(dualseal.RejectedError) as caught:
        agree(log.covering(deployment.head), [])
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.needed, again.found, again.code) == (dualseal.RejectedError, 2, 0, 204)
