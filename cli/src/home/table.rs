//! The table of short names, as its file has it and as the ring key seals it.

use crate::failure::Failure;
use crate::output::{canonical, object, text};
use dualseal::encoding::json::Value;
use dualseal::{IdentityId, RingKey};
use dualseal_operator::names::seal;
use std::collections::BTreeMap;

/// The table of short names, with what its file says of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) names: BTreeMap<String, Value>,
    pub(super) default: Option<IdentityId>,
    /// `None` where there is no file.
    pub(super) mac: Option<String>,
}

/// What is no name, so that the table's own member has it.
pub(super) const ABOUT_TABLE: &str = "";
pub(super) const DEFAULT: &str = "default";
pub(super) const MAC: &str = "mac";

impl Table {
    /// What is sealed.
    pub(super) fn value(&self, origin: &str) -> Value {
        let default = self.default.map_or(Value::Null, |id| text(id.to_hex()));
        object([("default", default), ("names", Value::Object(self.names.clone())), ("origin", text(origin))])
    }

    /// Seals it, and gives the content of its file.
    pub(super) fn seal(&mut self, origin: &str, authority: &RingKey) -> Result<String, Failure> {
        let mac = seal(authority, &self.value(origin))?;
        self.mac = Some(mac.clone());
        let default = self.default.map_or(Value::Null, |id| text(id.to_hex()));
        let about = object([(DEFAULT, default), (MAC, text(mac))]);
        let mut members = self.names.clone();
        members.insert(ABOUT_TABLE.to_owned(), about);
        Ok(canonical(&Value::Object(members)))
    }
}
