"""A service whose settings name a provider asks it, and tells its key and the question nobody else."""

from __future__ import annotations

from pathlib import Path

from conftest import Make
from harness import configuration
from harness.http import answer, problem
from harness.load import identity
from harness.models import MODELS, QUESTION, provider

SAID = {
    "choices": [{"message": {"role": "assistant", "content": "It records."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 15, "completion_tokens": 4},
}


def test_a_question_goes_through_the_settings(make: Make, tmp_path: Path) -> None:
    key = configuration.secret(tmp_path / "key", "key-of-ours")
    with provider() as asked:
        one: dict[str, object] = {"kind": "mistral", "url": asked.address, "model": "a-model-1", "key_file": key}
        one |= {"input_price": 1_000_000, "output_price": 1_000_000}
        service = make(configuration.local(), {"models": {"providers": [one], "budget": 300}}).start()
        native = service.client(service.first_token())
        noble = service.client(service.token(identity(native, "own"), "noble", "models"))
        asked.says = [(200, SAID), (401, {"detail": "Unauthorized"})]
        made = answer(noble.post(f"{MODELS}/messages", QUESTION))
        assert made["content"] == [{"type": "text", "text": "It records."}]
        assert made["usage"] == {"input_tokens": 15, "output_tokens": 4} and made["provider"] == "mistral"
        spent = answer(noble.get(f"{MODELS}/spend"))
        assert (spent["spent_cents"], spent["budget_cents"]) == (19, 300)
        # More may be answered than there is money for.
        problem(noble.post(f"{MODELS}/messages", QUESTION | {"max_tokens": 300}), 429, "budget-spent")
        for _ in range(2):
            refused = noble.post(f"{MODELS}/messages", QUESTION)
            problem(refused, 503, "providers-out")
            assert int(refused.headers["Retry-After"]) >= 1
        assert asked.keys == ["Bearer key-of-ours"] * 2
        key_of_another = {"Idempotency-Key": "once"}
        problem(noble.post(f"{MODELS}/messages", QUESTION, headers=key_of_another), 422, "idempotency-refused")
        service.stop()
        log = service.log.read_text()
        assert "a provider of models is left out" in log
        assert "key-of-ours" not in log and "tachograph" not in log and "It records" not in log
