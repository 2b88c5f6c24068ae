//! Short names of identities.

use super::{Home, NAMES, broken, read_object};
use crate::failure::{Failure, HOME, USAGE};
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::{IdentityId, SystemRng};
use std::collections::BTreeMap;

impl Home {
    /// The identity that a short name or 64 characters stand for.
    pub(crate) fn identity(&self, name: &str) -> Result<IdentityId, Failure> {
        if let Some(identity_id) = self.known(name)? {
            return Ok(identity_id);
        }
        let hint = "see the names by `dualseal key show`, or make a key by `dualseal key new`";
        Err(Failure::new(USAGE, format!("no identity is named {name:?} here"), hint))
    }

    /// As [`identity`](Self::identity), `None` for a name that is free.
    pub(crate) fn known(&self, name: &str) -> Result<Option<IdentityId>, Failure> {
        match name.parse() {
            Ok(identity_id) => Ok(Some(identity_id)),
            Err(_) => Ok(self.names()?.get(name).copied()),
        }
    }

    /// The short names.
    pub(crate) fn names(&self) -> Result<BTreeMap<String, IdentityId>, Failure> {
        let identity_id = |value| match value {
            Value::Object(mut members) => match members.remove("identity_id") {
                Some(Value::String(id)) => Ok(id.parse::<IdentityId>()?),
                _ => Err(broken(&self.path(NAMES))),
            },
            _ => Err(broken(&self.path(NAMES))),
        };
        self.named()?.into_iter().map(|(name, value)| Ok((name, identity_id(value)?))).collect()
    }

    /// The short names with what each stands for.
    pub(super) fn named(&self) -> Result<BTreeMap<String, Value>, Failure> {
        let path = self.path(NAMES);
        if path.exists() { read_object(&path) } else { Ok(BTreeMap::new()) }
    }

    /// The context that was drawn for the identity of a short name; `None` for a name that is not known.
    pub(crate) fn context_of(&self, name: &str) -> Result<Option<String>, Failure> {
        Ok(match self.named()?.remove(name) {
            Some(Value::Object(mut members)) => match members.remove("context") {
                Some(Value::String(context)) => Some(context),
                _ => return Err(broken(&self.path(NAMES))),
            },
            _ => None,
        })
    }

    /// The identity to act as: the one that was named, else the only one there is.
    pub(crate) fn acting(&self, name: Option<&str>) -> Result<IdentityId, Failure> {
        if let Some(name) = name {
            return self.identity(name);
        }
        let file = self.ring_file()?;
        let ring = file.unchecked();
        // Only a step finds out whether the rows are the ring's. A quorum's key is in the ring too, and no one signs
        // with it alone.
        let mut identities = ring.identities().filter(|id| self.key_path(id).exists());
        match (identities.next(), identities.next()) {
            (Some(only), None) => Ok(*only),
            (None, _) => Err(Failure::new(HOME, "there is no key here yet", "make one by `dualseal key new NAME`")),
            _ => Err(Failure::new(USAGE, "there are several identities here", "say which one with --as NAME")),
        }
    }

    /// The identity of a name; one that is not known yet gets an identity of its own, with the context that was drawn
    /// for it.
    pub(crate) fn known_or_drawn(&self, name: &str) -> Result<(IdentityId, Option<String>), Failure> {
        if let Some(identity_id) = self.known(name)? {
            return Ok((identity_id, None));
        }
        self.free_name(name)?;
        let context = drawn_context()?;
        Ok((self.domain().domain().identity_id(b"", name, &context)?, Some(context)))
    }

    /// The short name of an identity; empty where it has none.
    pub(crate) fn name_of(&self, identity_id: &IdentityId) -> Result<String, Failure> {
        let names = self.names()?;
        Ok(names.into_iter().find(|(_, id)| id == identity_id).map_or_else(String::new, |(name, _)| name))
    }

    /// Refuses a name that is taken, or could be taken for an identifier.
    pub(crate) fn free_name(&self, name: &str) -> Result<(), Failure> {
        could_be_name(name)?;
        if self.known(name)?.is_some() {
            return Err(Failure::new(USAGE, format!("{name:?} is a name here already"), "choose another name"));
        }
        Ok(())
    }
}

/// A context that nobody can guess.
pub(crate) fn drawn_context() -> Result<String, Failure> {
    Ok(hex::encode(Secret::<32>::random(&mut SystemRng)?.expose()))
}

/// Refuses a name that could be taken for an identifier.
pub(crate) fn could_be_name(name: &str) -> Result<(), Failure> {
    let hint = "choose 1 to 64 letters, digits, `.`, `_`, `@` or `-`";
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '@' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(fits) || name.parse::<IdentityId>().is_ok() {
        return Err(Failure::new(USAGE, format!("{name:?} cannot be a short name"), hint));
    }
    Ok(())
}
