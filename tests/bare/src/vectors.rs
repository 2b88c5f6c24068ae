//! The vectors as the workspace's tests read them, and how many were asked for.

#[path = "../../src/vectors.rs"]
mod uncounted;

pub(crate) use uncounted::{bytes, json, string};

use crate::prelude::*;
use core::sync::atomic::{AtomicUsize, Ordering};
use serde_json::Value;

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Does `work`, and says how many items of lists, and lines of texts, it asked for.
pub(crate) fn counted(work: fn()) -> usize {
    ASKED.store(0, Ordering::Relaxed);
    work();
    ASKED.load(Ordering::Relaxed)
}

pub(crate) fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let items = uncounted::items(value, name);
    ASKED.fetch_add(items.len(), Ordering::Relaxed);
    items
}

pub(crate) fn text(name: &str) -> String {
    let text = uncounted::text(name);
    ASKED.fetch_add(text.lines().count(), Ordering::Relaxed);
    text
}
