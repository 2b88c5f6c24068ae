//! What a verifier trusts: a public key, or a ring; and the domain of a log in words.
//!
//! A public key file is SubjectPublicKeyInfo in PEM with lines before it that other programs skip (RFC 7468):
//! `dualseal-identity:`, `dualseal-domain:`, `dualseal-origin:`, `dualseal-creator:`, `dualseal-context:`. So one file
//! says all that a stranger needs. All of it is the word of whoever gave the file; but a creator is read only where the
//! identity was computed from it.
//!
//! ```
//! use dualseal::{Domain, SigningKey};
//! use dualseal_operator::trust::{DomainFile, PublicKeyFile, Trust, TrustError};
//!
//! let ana = Domain::default().identity_id(b"", "ana", "")?;
//! let key = SigningKey::from_seed(&[5; 32])?;
//! let file = PublicKeyFile {
//!     key: key.public_key().clone(),
//!     identity_id: Some(ana),
//!     domain: Some(DomainFile::default()),
//!     origin: Some("example.org/log".to_owned()),
//!     creator: None,
//! };
//! let text = file.to_text()?;
//! assert!(text.starts_with("dualseal-identity: "));
//!
//! let trust = Trust::from_text(&text)?;
//! assert_eq!(trust.expected(None, false, &ana)?, ana);
//! assert_eq!(trust.domain().and_then(DomainFile::name), Some("DUALSEAL"));
//!
//! // Whoever was given a secret was given more than they asked for.
//! let secret = key.to_pkcs8_pem()?;
//! assert!(matches!(Trust::from_text(&secret).unwrap_err(), TrustError::Secret));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `error` | why nothing is trusted |
//! | `domain_file` | a domain in words |
//! | `text` | PEM with the lines before it |
//! | `key_file` | public key files |
//! | `tier_key` | the file of a key that shows a tier |
//! | `whom` | a key or a ring |

mod domain_file;
mod error;
mod key_file;
mod text;
mod tier_key;
mod whom;

pub use domain_file::DomainFile;
pub use error::TrustError;
pub use key_file::{Creator, PublicKeyFile};
pub use text::Text;
pub use tier_key::TierKeyFile;
pub use whom::Trust;
