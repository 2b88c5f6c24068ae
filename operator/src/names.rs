//! The short names of an operator's identities, sealed by the ring key: whoever writes to the store without it makes no
//! name stand for somebody else.
//!
//! ```
//! use dualseal::encoding::json::Value;
//! use dualseal::{Domain, RingKey, SystemRng};
//! use dualseal_operator::names::{is_sealed, seal};
//!
//! let authority = RingKey::generate(&Domain::default(), &mut SystemRng)?;
//! let table = Value::parse(br#"{"ana":{"identity_id":"17"}}"#)?;
//! let mac = seal(&authority, &table)?;
//! assert!(is_sealed(&authority, &table, &mac)?);
//! let swapped = Value::parse(br#"{"ana":{"identity_id":"18"}}"#)?;
//! assert!(!is_sealed(&authority, &swapped, &mac)?);
//! # Ok::<(), dualseal::Error>(())
//! ```

use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::hash::{HmacSha3_256, hkdf_sha3_256};
use dualseal::{Error, RingKey};

/// What a key is derived for, so that no MAC over anything else is one over a table.
const PURPOSE: &[u8] = b"dualseal operator names 1";

/// HMAC-SHA3-256 over the canonical table by a key that HKDF derives from the ring key: 64 hexadecimal characters.
///
/// # Errors
/// What [`Value::to_canonical`] says.
pub fn seal(authority: &RingKey, table: &Value) -> Result<String, Error> {
    Ok(hex::encode(&mac(authority, table)?.finish()))
}

/// Whether a table is the one that was sealed, compared in constant time.
///
/// # Errors
/// As [`seal`].
pub fn is_sealed(authority: &RingKey, table: &Value, sealed: &str) -> Result<bool, Error> {
    let mac = mac(authority, table)?;
    Ok(hex::decode::<32>("mac", sealed).is_ok_and(|sealed| mac.verify(&sealed).into()))
}

fn mac(authority: &RingKey, table: &Value) -> Result<HmacSha3_256, Error> {
    let key = hkdf_sha3_256::<32>(authority.secret().expose(), &[], &[PURPOSE]);
    let mut mac = HmacSha3_256::new(key.expose());
    mac.update(table.to_canonical()?.as_bytes());
    Ok(mac)
}
