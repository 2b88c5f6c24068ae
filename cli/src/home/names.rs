//! Short names of identities.

use super::table::{ABOUT_TABLE, DEFAULT, MAC, Table};
use super::{Home, NAMES, broken, read_object};
use crate::failure::{Failure, HOME, USAGE};
use crate::secrets::Passphrase;
use crate::trust::Creator;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::{IdentityId, RingKey, SystemRng};
use dualseal_operator::names::is_sealed;
use dualseal_operator::paths::Show;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    fn named(&self) -> Result<BTreeMap<String, Value>, Failure> {
        Ok(self.table()?.names.clone())
    }

    /// The table of names. It is read once: whoever changes its file meanwhile changes nothing.
    pub(super) fn table(&self) -> Result<Arc<Table>, Failure> {
        let mut named = self.named.lock().map_err(|_| Failure::defect("a table of names was left half read"))?;
        if let Some(table) = &*named {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(self.read_table(false)?);
        *named = Some(Arc::clone(&table));
        Ok(table)
    }

    /// What the table is once a step has written it.
    pub(super) fn named_as(&self, table: Table) {
        if let Ok(mut named) = self.named.lock() {
            *named = Some(Arc::new(table));
        }
    }

    /// As its file has it. That of an older folder has names alone, which nobody sealed.
    fn read_table(&self, is_older_taken: bool) -> Result<Table, Failure> {
        let path = self.path(NAMES);
        if !path.exists() {
            return Ok(Table::default());
        }
        let mut names = read_object(&path)?;
        let mut about = match names.remove(ABOUT_TABLE) {
            Some(Value::Object(about)) => about,
            None if is_older_taken => return Ok(Table { names, ..Table::default() }),
            _ => return Err(self.swapped()),
        };
        let (Some(default), Some(Value::String(mac))) = (about.remove(DEFAULT), about.remove(MAC)) else {
            return Err(broken(&path));
        };
        let default = match default {
            Value::Null => None,
            Value::String(id) => Some(id.parse()?),
            _ => return Err(broken(&path)),
        };
        Ok(Table { names, default, mac: Some(mac) })
    }

    /// Refuses a table that the ring key did not seal: a name in it, or who acts where nobody is named, could stand for
    /// somebody else. Where there is no file there is nothing to seal, unless there are keys: whatever makes one writes
    /// the table beside it.
    pub(super) fn check_names(&self, authority: &RingKey) -> Result<(), Failure> {
        let table = self.table()?;
        match &table.mac {
            None if self.has_own_key()? => Err(self.gone()),
            None => Ok(()),
            Some(mac) if is_sealed(authority, &table.value(self.origin()), mac)? => Ok(()),
            Some(_) => Err(self.swapped()),
        }
    }

    /// The names with what their file says of each, and who acts where nobody is named: whoever wrote it.
    pub(crate) fn written_names(&self) -> Result<Written, Failure> {
        self.rows_of(&self.read_table(true)?)
    }

    fn rows_of(&self, table: &Table) -> Result<Written, Failure> {
        let mut rows = Vec::new();
        for (name, value) in table.names.clone() {
            let Value::Object(mut members) = value else { return Err(broken(&self.path(NAMES))) };
            let mut member = |of: &str| match members.remove(of) {
                Some(Value::String(text)) => Ok(text),
                _ => Err(broken(&self.path(NAMES))),
            };
            let identity_id = member("identity_id")?.parse()?;
            let creator = Creator { name: member("creator")?, context: member("context")? };
            let is_of = creator.is_of(&identity_id, self.domain().domain());
            rows.push((name, identity_id, is_of.then_some(creator.name)));
        }
        Ok(Written { rows, default: table.default })
    }

    /// Takes the table over as it is written, sealed from here on: a step writes it.
    pub(crate) fn adopt_names(&self, passphrase: &Passphrase) -> Result<(), Failure> {
        let mut table = self.read_table(true)?;
        self.rows_of(&table)?;
        let authority = RingKey::new(self.domain().domain(), self.ring_secret(passphrase)?);
        table.seal(self.origin(), &authority)?;
        self.named_as(table);
        Ok(())
    }

    /// Whether somebody signs with a key of this folder.
    fn has_own_key(&self) -> Result<bool, Failure> {
        Ok(self.ring_file()?.unchecked().identities().any(|id| self.key_path(id).exists()))
    }

    fn gone(&self) -> Failure {
        let message =
            format!("there are keys here, and {}, which is written with them, is gone", self.path(NAMES).shown());
        let hint = "restore it from a copy of the home folder, or go on without names by `dualseal key names --adopt`";
        Failure::new(HOME, message, hint).refusing("names")
    }

    fn swapped(&self) -> Failure {
        let message = format!("the names in {} are not the ones that were given here", self.path(NAMES).shown());
        let hint = "look at them by `dualseal key names`, and keep them by `dualseal key names --adopt` if each is \
                    right; else restore the file from a copy of the home folder";
        Failure::new(HOME, message, hint).refusing("names")
    }

    /// The identity that acts where none is named, if one was chosen.
    pub(crate) fn default_identity(&self) -> Result<Option<IdentityId>, Failure> {
        Ok(self.table()?.default)
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
        if let Some(default) = self.default_identity()? {
            return Ok(default);
        }
        let file = self.ring_file()?;
        let ring = file.unchecked();
        // Only a step finds out whether the rows are the ring's. A quorum's key is in the ring too, and no one signs
        // with it alone.
        let mut identities = ring.identities().filter(|id| self.key_path(id).exists());
        match (identities.next(), identities.next()) {
            (Some(only), None) => Ok(*only),
            (None, _) => Err(Failure::new(HOME, "there is no key here yet", "make one by `dualseal key new NAME`")),
            _ => Err(Failure::new(
                USAGE,
                "there are several identities here",
                "say which one with --as NAME, or choose one by `dualseal key default NAME`",
            )),
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

    /// What a file of an identity is named by: its short name, else the beginning of its characters.
    pub(crate) fn label_of(&self, identity_id: &IdentityId) -> Result<String, Failure> {
        let name = self.name_of(identity_id)?;
        Ok(if name.is_empty() { identity_id.to_hex().chars().take(16).collect() } else { name })
    }

    /// Whether `records/` has this copy of what was made here.
    pub(crate) fn has_copy(&self, name: &str, bytes: &[u8]) -> bool {
        std::fs::read(self.path("records").join(name)).is_ok_and(|kept| kept == bytes)
    }

    /// From whom an identity was computed, where a short name of it says so.
    pub(crate) fn creator_of(&self, identity_id: &IdentityId) -> Result<Option<String>, Failure> {
        Ok(self.origin_of(identity_id)?.map(|creator| creator.name))
    }

    /// From what an identity was computed, where a short name of it says so and it is.
    pub(crate) fn origin_of(&self, identity_id: &IdentityId) -> Result<Option<Creator>, Failure> {
        let member = |members: &mut BTreeMap<String, Value>, name: &str| match members.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let found = self.named()?.into_values().find_map(|value| {
            let Value::Object(mut members) = value else { return None };
            let [name, context] = ["creator", "context"].map(|name| member(&mut members, name));
            let creator = Creator { name: name?, context: context? };
            creator.is_of(identity_id, self.domain().domain()).then_some(creator)
        });
        Ok(found)
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

/// What the file of the names says.
pub(crate) struct Written {
    /// Each name, whose it is, and from whom that was computed: `None` where what the file says does not give it.
    pub(crate) rows: Vec<(String, IdentityId, Option<String>)>,
    pub(crate) default: Option<IdentityId>,
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
