//! What the library wrote as JSON, answered as it is.

use crate::problem::Problem;
use axum::response::{IntoResponse, Response};
use http::header;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A record of the library, in its canonical JSON.
#[derive(Clone, Debug)]
pub struct Record(Box<RawValue>);

impl Record {
    /// Of its text.
    ///
    /// # Errors
    /// None for what the library writes.
    pub fn new(text: String) -> Result<Self, Problem> {
        RawValue::from_string(text).map(Self).map_err(|error| Problem::internal("record", &error))
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl IntoResponse for Record {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0.get().to_owned()).into_response()
    }
}
