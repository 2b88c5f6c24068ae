//! What each documented answer means, and what each provider is sent.

use super::super::provider::{Provider, client};
use super::super::rules::checked;
use super::super::verdict::Verdict;
use super::*;
use wiremock::Request;

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Quota(seconds) => format!("quota {seconds:?}"),
        Verdict::Rate(seconds) => format!("rate {seconds}"),
        Verdict::Refused(words) => format!("refused {words}"),
        Verdict::Fault(fault) => format!("fault {}", fault.what),
        Verdict::Answered(_) | Verdict::Authentication => verdict.as_str().to_owned(),
    }
}

/// The path, the header of the key, and the body that a provider is sent.
fn sent(kind: ModelKind) -> (&'static str, &'static str, String, Value) {
    let turns = json!([{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": PROMPT}]);
    let mut whole = turns.as_array().unwrap().clone();
    whole.insert(0, json!({"role": "system", "content": "Be brief."}));
    let key = format!("key-of-{}", kind.as_str());
    let model = "a-model-1";
    match kind {
        ModelKind::Anthropic => {
            let body = json!({"model": model, "max_tokens": 64, "system": "Be brief.", "messages": turns});
            ("/v1/messages", "x-api-key", key, body)
        }
        ModelKind::OpenAi => {
            let body = json!({"model": model, "max_completion_tokens": 64, "messages": whole});
            ("/v1/chat/completions", "authorization", format!("Bearer {key}"), body)
        }
        ModelKind::Gemini => {
            let said = |role: &str, text: &str| json!({"role": role, "parts": [{"text": text}]});
            let contents = [said("user", "Hello"), said("model", "Hello."), said("user", PROMPT)];
            let body = json!({"contents": contents, "generationConfig": {"maxOutputTokens": 64},
                "systemInstruction": {"parts": [{"text": "Be brief."}]}});
            ("/v1beta/models/a-model-1:generateContent", "x-goog-api-key", key, body)
        }
        ModelKind::Mistral => {
            let body = json!({"model": model, "max_tokens": 64, "messages": whole});
            ("/v1/chat/completions", "authorization", format!("Bearer {key}"), body)
        }
    }
}

fn is_as_documented(kind: ModelKind, request: &Request) {
    let (path, header, key, body) = sent(kind);
    assert_eq!((request.url.path(), request.url.query()), (path, None));
    assert_eq!(request.headers[header], key.as_str());
    let version = request.headers.get("anthropic-version").map(|value| value.to_str().unwrap());
    assert_eq!(version, (kind == ModelKind::Anthropic).then_some("2023-06-01"));
    assert_eq!(request.body_json::<Value>().unwrap(), body);
}

#[tokio::test]
async fn each_answer_means_what_its_documentation_says() {
    let (keys, http) = (tempfile::tempdir().unwrap(), client(Duration::from_secs(20)).unwrap());
    for kind in KINDS {
        let server = MockServer::start().await;
        let provider = Provider::new(provider(kind, &server, key_file(keys.path(), kind)));
        let question = checked(question()).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for case in cases(kind) {
            assert!(case.source.starts_with("https://"), "{}", case.name);
            server.reset().await;
            Mock::given(method("POST")).respond_with(case.template()).mount(&server).await;
            let verdict = provider.ask(&http, &provider.key(0).unwrap(), &question).await;
            assert_eq!(told(&verdict), case.means, "{} {}", kind.as_str(), case.name);
            seen.insert(verdict.as_str());
            is_as_documented(kind, &server.received_requests().await.unwrap()[0]);
            let Verdict::Answered(said) = verdict else { continue };
            let expected = case.said.unwrap();
            let usage = [said.usage.input_tokens, said.usage.output_tokens];
            assert_eq!((said.text, usage), (expected.text, expected.usage), "{}", case.name);
            assert_eq!(format!("{:?}", said.stop), expected.stop, "{}", case.name);
        }
        let all = ["answered", "authentication", "fault", "quota", "rate", "refused"];
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), all, "{}", kind.as_str());
    }
}

/// A provider that lies, or whoever stands in its place.
#[tokio::test]
async fn nobody_is_followed_or_read_without_end() {
    let desk = Desk::new().await;
    let elsewhere = format!("{}/v1/messages", desk.servers[1].uri());
    let moved = ResponseTemplate::new(307).insert_header("location", elsewhere.as_str());
    desk.answers(ModelKind::Anthropic, moved, 1).await;
    assert_eq!(desk.ask().await, "provider-failed");
    let much = format!("{{\"type\": \"message\", \"content\": \"{}\"}}", "x".repeat(2 << 20));
    desk.answers(ModelKind::Anthropic, ResponseTemplate::new(200).set_body_raw(much, "application/json"), 1).await;
    assert_eq!(desk.ask().await, "provider-failed");
    assert_eq!(desk.asked().await, [2, 0, 0, 0]);
}
