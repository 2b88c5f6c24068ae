//! Encryption of data of any size under a drawn secret.

use crate::args::{Given, Out, bytes, required, text};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::progress::{ending, running};
use crate::sharing::secret::{Drawn, Secret};
use crate::status::StatusValue;
use dualseal_core::stream::{self, KeyMaterial, Purpose};
use dualseal_core::{IdentityId, SystemRng};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;
use zeroize::Zeroizing;

/// What a stream is for.
fn purpose(domain: *const Domain, identity_id: *const c_char, kind: *const c_char) -> Result<Purpose, CallError> {
    let domain = required("domain", domain)?;
    let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
    Ok(Purpose::new(&domain.0, identity_id.as_bytes(), text("kind", kind)?)?)
}

/// Encrypts data that comes in parts, of any size. For one thread at a time.
#[derive(Debug)]
pub struct Encryptor(Option<stream::Encryptor>);

/// Begins a stream under a secret, for an identity and a `kind`: 1 to 255 bytes without control characters and `::`,
/// not beginning with `:`. `out` is set to the stream's first bytes, and freed with `dualseal_bytes_free`, as are those
/// of the functions below.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_encryptor_new(
    secret: *const Secret,
    domain: *const Domain,
    identity_id: *const c_char,
    kind: *const c_char,
    encryptor: *mut *mut Encryptor,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let secret = required("secret", secret)?;
        let purpose = purpose(domain, identity_id, kind)?;
        let (encryptor, given) = (Out::new("encryptor", encryptor)?, Given::new(out, out_len)?);
        let mut header = Vec::new();
        let begun = stream::Encryptor::new(secret.0.key(), &purpose, &mut SystemRng, &mut header)?;
        encryptor.handle(Encryptor(Some(begun)));
        given.set(&header);
        Ok(())
    })
}

/// Takes the next part, and gives the next bytes of the stream, perhaps none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_encryptor_update(
    encryptor: *mut Encryptor,
    plaintext: *const u8,
    plaintext_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let encryptor = required("encryptor", encryptor)?;
        let plaintext = bytes("plaintext", plaintext, plaintext_len)?;
        let given = Given::new(out, out_len)?;
        let mut stored = Vec::new();
        running(&mut encryptor.0)?.update(plaintext, &mut stored)?;
        given.set(&stored);
        Ok(())
    })
}

/// Gives the last bytes of the stream, which does not open without them, and ends it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_encryptor_finish(
    encryptor: *mut Encryptor,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (encryptor, given) = (required("encryptor", encryptor)?, Given::new(out, out_len)?);
        let mut stored = Vec::new();
        ending(&mut encryptor.0)?.finish(&mut stored)?;
        given.set(&stored);
        Ok(())
    })
}

/// Frees an encryptor. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_encryptor_free(encryptor: *mut Encryptor) {
    release(|| give_back(encryptor));
}

struct Begun {
    secret: Arc<Drawn>,
    purpose: Purpose,
}

type Running<'a> = Option<stream::Decryptor<'a, dyn KeyMaterial + 'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[not_covariant]
        dependent: Running,
    }
}

/// Decrypts a stream that comes in parts of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct Decryptor(Progress);

/// Begins before the first byte of a stream, with the secret, identity and type that it was encrypted with.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_decryptor_new(
    secret: *const Secret,
    domain: *const Domain,
    identity_id: *const c_char,
    kind: *const c_char,
    decryptor: *mut *mut Decryptor,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let secret = Arc::clone(&required("secret", secret)?.0);
        let purpose = purpose(domain, identity_id, kind)?;
        let out = Out::new("decryptor", decryptor)?;
        out.handle(Decryptor(Progress::new(Begun { secret, purpose }, |begun| {
            Some(stream::Decryptor::new(begun.secret.key(), &begun.purpose))
        })));
        Ok(())
    })
}

/// Takes the next part, and gives the next bytes of the plaintext, perhaps none. Each is authenticated and in its
/// place; that nothing is missing at the end, only `dualseal_decryptor_finish` tells.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_decryptor_update(
    decryptor: *mut Decryptor,
    stored: *const u8,
    stored_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let decryptor = required("decryptor", decryptor)?;
        let stored = bytes("stored", stored, stored_len)?;
        let given = Given::new(out, out_len)?;
        let mut plaintext = Zeroizing::new(Vec::new());
        decryptor.0.with_dependent_mut(|_, decryptor| {
            Ok::<_, CallError>(running(decryptor)?.update(stored, &mut plaintext)?)
        })?;
        given.set(&plaintext);
        Ok(())
    })
}

/// Gives the last bytes of the plaintext, and says with 0 that it was the whole. It ends the decryption.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_decryptor_finish(
    decryptor: *mut Decryptor,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (decryptor, given) = (required("decryptor", decryptor)?, Given::new(out, out_len)?);
        let mut plaintext = Zeroizing::new(Vec::new());
        decryptor
            .0
            .with_dependent_mut(|_, decryptor| Ok::<_, CallError>(ending(decryptor)?.finish(&mut plaintext)?))?;
        given.set(&plaintext);
        Ok(())
    })
}

/// Frees a decryptor. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_decryptor_free(decryptor: *mut Decryptor) {
    release(|| give_back(decryptor));
}
