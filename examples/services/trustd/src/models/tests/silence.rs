//! That nothing of a question, an answer or a key is told: no line of any level has it, and no refusal.

use super::*;
use std::fmt::{Debug, Write as _};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// All that is logged on this thread, by whomever.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<String>>);

impl Visit for Lines {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let line = format!("{field}: {value:?}\n");
        self.0.lock().unwrap().push_str(&line);
    }
}

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn keys_and_questions_are_in_no_line_and_no_refusal() {
    let desk = Desk::with(|models| models.advance_on_faults = true).await;
    let lines = Lines::default();
    let heard = tracing::subscriber::set_default(lines.clone());
    let caller = caller(desk.house.ana, World::Real);
    let mut told = String::new();
    let echo = |key: &str| json!({"error": {"message": format!("{key} may not")}, "detail": PROMPT});
    for status in [400_u16, 401, 403, 404, 429, 500, 529] {
        for kind in KINDS {
            let body = echo(&format!("key-of-{}", kind.as_str()));
            desk.answers(kind, ResponseTemplate::new(status).set_body_json(body), 2).await;
            // Each has a chance again.
            desk.models.providers[place(kind)].forget();
        }
        let refused = desk.ask_as(&caller).await.err().unwrap();
        writeln!(told, "{refused} {refused:?}").unwrap();
        for server in &desk.servers {
            server.reset().await;
        }
    }
    desk.answers(ModelKind::Anthropic, case(ModelKind::Anthropic, "success"), 1).await;
    desk.models.providers[0].forget();
    assert_eq!(desk.ask().await, "anthropic");
    writeln!(told, "{:?}", desk.models).unwrap();
    drop(heard);
    let lines = lines.0.lock().unwrap().clone();
    assert!(lines.contains("a provider of models is left out"), "nothing was heard: {lines}");
    assert!(told.contains("… may not"), "{told}");
    for secret in ["key-of-", PROMPT, "A tachograph records"] {
        assert!(!lines.contains(secret), "{secret} is in a line");
        assert!(!told.contains(secret), "{secret} is in {told}");
    }
}
