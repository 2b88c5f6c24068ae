//! Secrets that this library drew, of either field of secret sharing.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use dualseal_core::field::{Fp521, Gf2_256};
use dualseal_core::shamir::DrawnSecret;
use dualseal_core::stream::KeyMaterial;
use std::sync::Arc;

/// A field of secret sharing, as an argument: a member of [`Field`].
pub type FieldValue = i32;

/// A field of secret sharing. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The integers modulo 2^521-1; a value has 132 hexadecimal characters.
    Fp521 = 1,
    /// GF(2^256), that of `ssss`; a value has 64 hexadecimal characters.
    Gf2_256 = 2,
}

/// One of two, as the field says.
#[derive(Debug)]
pub(crate) enum ByField<P, G> {
    Fp521(P),
    Gf2_256(G),
}

/// Does the same over either field, with the same outcome.
macro_rules! on_field {
    ($value:expr, $name:pat => $body:expr) => {
        match $value {
            $crate::sharing::secret::ByField::Fp521($name) => $body,
            $crate::sharing::secret::ByField::Gf2_256($name) => $body,
        }
    };
}

pub(crate) use on_field;

/// The field of an argument `field`.
pub(crate) fn field(field: FieldValue) -> Result<Field, CallError> {
    let known = [Field::Fp521, Field::Gf2_256].into_iter().find(|known| *known as FieldValue == field);
    known.ok_or_else(|| CallError::unknown_value("field"))
}

/// A secret that this library drew: the only kind that is shared. Never changes; threads may share it. It is
/// overwritten when it and every decryption with it are freed.
#[derive(Debug)]
pub struct Secret(pub(crate) Arc<Drawn>);

/// A drawn secret of either field.
pub(crate) type Drawn = ByField<DrawnSecret<Fp521>, DrawnSecret<Gf2_256>>;

impl Secret {
    pub(crate) fn new(secret: Drawn) -> Self {
        Self(Arc::new(secret))
    }
}

impl Drawn {
    pub(crate) fn key(&self) -> &dyn KeyMaterial {
        on_field!(self, secret => secret)
    }
}

/// Draws a secret with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_secret_generate(
    field: FieldValue,
    secret: *mut *mut Secret,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("secret", secret)?;
        out.handle(Secret::new(match self::field(field)? {
            Field::Fp521 => ByField::Fp521(DrawnSecret::draw(&mut SystemRng)?),
            Field::Gf2_256 => ByField::Gf2_256(DrawnSecret::draw(&mut SystemRng)?),
        }));
        Ok(())
    })
}

/// The secret's bytes, 66 or 32 as its field says, to be freed with `dualseal_bytes_free`, which overwrites them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_secret_bytes(
    secret: *const Secret,
    bytes: *mut *mut u8,
    bytes_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let secret = required("secret", secret)?;
        let (place, length) = (Out::new("bytes", bytes)?, Out::new("bytes_len", bytes_len)?);
        on_field!(&*secret.0, secret => place.bytes(length, secret.to_bytes().as_ref()));
        Ok(())
    })
}

/// Frees a secret. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_secret_free(secret: *mut Secret) {
    release(|| give_back(secret));
}
