//! What messaging works with.

use super::authentic;
use super::contacts::Contact;
use super::email::Dkim;
use super::intents::Language;
use super::providers::{self, Providers, secret};
use super::waits::Waits;
use crate::App;
use crate::vault::Vault;
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::db::Tx;
use platform::problem::Problem;
use std::fmt;
use std::sync::Arc;
use tokio::sync::Notify;
use zeroize::Zeroizing;

/// Whoever knows something of an identity's standing: deadlines, documents, a clock. A module that does adds itself.
pub trait Facts: fmt::Debug + Send + Sync {
    /// A line for each thing, in a language, read within the transaction that takes the question: with a connection
    /// beside it, as many questions as there are connections would wait for each other.
    fn of<'a>(
        &'a self,
        app: &'a App,
        tx: &'a mut Tx,
        identity_id: &'a IdentityId,
        language: Language,
    ) -> BoxFuture<'a, Result<Vec<String>, Problem>>;

    /// That nobody was reached by what a module had told under this name (`once`, without the contact): each message of
    /// it was refused, expired, or went to an address that said STOP.
    fn unheard<'a>(&'a self, _: &'a App, _: &'a mut Tx, _told: &'a str) -> BoxFuture<'a, Result<(), Problem>> {
        Box::pin(async { Ok(()) })
    }
}

/// The messages of the service: an extension of its router.
pub struct Messaging {
    pub(crate) providers: Providers,
    /// Rings when something was queued.
    pub(crate) wake: Notify,
    /// The key of the generic webhook.
    pub(crate) webhook_key: Option<Zeroizing<Vec<u8>>>,
    /// What the provider of short messages signs with.
    pub(crate) sms_token: Option<Zeroizing<String>>,
    pub(crate) dkim: Dkim,
    /// Asked in this order when somebody asks how things stand.
    pub(crate) facts: Vec<Arc<dyn Facts>>,
    /// Where attachments are filed.
    pub(crate) vault: Arc<Vault>,
    /// What could not be filed.
    pub(crate) unfiled: Waits,
    /// What strangers are answered in.
    pub(crate) language: Language,
}

impl fmt::Debug for Messaging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messaging")
            .field("providers", &self.providers)
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}

impl Messaging {
    /// Opens the ways that the settings name.
    ///
    /// # Errors
    /// A file that is not read, a key that is too short, in words.
    pub fn open(app: &App, vault: Arc<Vault>, facts: Vec<Arc<dyn Facts>>) -> Result<Arc<Self>, String> {
        let config = &app.config.messaging;
        let webhook_key = config.webhook_key_file.as_deref().map(secret).transpose()?;
        if webhook_key.as_ref().is_some_and(|key| key.len() < authentic::LEAST_KEY) {
            return Err(format!("messaging.webhook_key_file: has less than {} bytes", authentic::LEAST_KEY));
        }
        Ok(Arc::new(Self {
            providers: providers::open(&app.config)?,
            wake: Notify::new(),
            webhook_key: webhook_key.map(|key| Zeroizing::new(key.as_bytes().to_vec())),
            sms_token: providers::sms_token(config)?,
            dkim: Dkim::open(config.dns)?,
            facts,
            vault,
            unfiled: Waits::default(),
            language: config.language.parse().map_err(|error| format!("messaging.language: {error}"))?,
        }))
    }

    /// Those of them to whom a way leads that has a provider: whatever is queued for the others reaches nobody.
    pub(crate) fn reachable(&self, mut contacts: Vec<Contact>) -> Vec<Contact> {
        contacts.retain(|one| one.ways().iter().any(|(channel, _)| self.providers.contains_key(channel.as_str())));
        contacts
    }
}
