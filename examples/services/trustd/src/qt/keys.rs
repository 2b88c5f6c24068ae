//! What nodes pin of the service, and who receives the shards that they release.

use crate::App;
use crate::orders::operator_key;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::note::{NoteKey, NoteKind, NoteName};
use dualseal::shard::Recipient;
use platform::problem::Problem;
use url::Url;

/// What a node pins of the service: the operator gives it to the node's keeper by another way than the network.
#[derive(Clone, Debug)]
pub struct Pins {
    /// The name of the deployment in every hash.
    pub domain: String,
    /// The key of the service that the node's channel shows, by its hash, which is the recipient of shards.
    pub service_key: Recipient,
    /// The key of orders to delete.
    pub operator: Ed25519PublicKey,
    /// The key of the log's notes, under which an enrolment has its place.
    pub log: NoteKey,
    /// Where people enrol, which their credentials are bound to, whatever address the node itself dials.
    pub page: Url,
}

/// What nodes pin of this service.
///
/// # Errors
/// What the log and the settings say.
pub async fn pins(app: &App) -> Result<Pins, Problem> {
    let operator = *operator_key(app).await?.public_key();
    let (domain, page) = (app.config.domain.clone(), app.config.base_url.clone());
    let name = NoteName::new(app.log.state().await?.origin())?;
    let log = NoteKey::new(name, NoteKind::Log, app.log.note_key());
    Ok(Pins { domain, service_key: recipient(app).await?, operator, log, page })
}

/// Who receives shards: by the key of the proxy's TLS where the settings name it, else, on loopback, by the service's
/// own.
pub(crate) async fn recipient(app: &App) -> Result<Recipient, Problem> {
    Ok(Recipient::of_key(&service_key(app).await?))
}

async fn service_key(app: &App) -> Result<Vec<u8>, Problem> {
    if let Some(file) = &app.config.trust.tls_key {
        let read = tokio::fs::read(file).await;
        let key = read.map_err(|error| Problem::internal("trust.tls_key", &error))?;
        return subject_public_key_info(&key);
    }
    let state = app.log.state().await?;
    let info = state.ring().info(app.log.identity());
    let info = info.ok_or_else(|| Problem::internal("qt", &"the log has no key"))?;
    Ok(info.public_key.as_bytes().to_vec())
}

/// A key's SubjectPublicKeyInfo: DER, or a PEM block of it.
fn subject_public_key_info(file: &[u8]) -> Result<Vec<u8>, Problem> {
    use rustls::pki_types::SubjectPublicKeyInfoDer;
    use rustls::pki_types::pem::PemObject as _;
    if !file.starts_with(b"-----BEGIN") {
        return Ok(file.to_vec());
    }
    let key = SubjectPublicKeyInfoDer::from_pem_slice(file);
    Ok(key.map_err(|error| Problem::internal("trust.tls_key", &error))?.as_ref().to_vec())
}
