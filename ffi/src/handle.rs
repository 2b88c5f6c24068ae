//! Handles: what C holds of a value of this library.
//!
//! A handle points to a word that tells its type, with the value behind it. A handle of another type, one that was
//! freed and one that is not aligned are told by that word where they can be told: what was freed may have been given
//! out again since, and a pointer to anywhere else is the caller's to avoid.

use crate::call_error::CallError;
use std::ptr::{self, NonNull};

/// A value behind the word that tells its type.
#[repr(C)]
pub(crate) struct Tagged<T> {
    tag: u64,
    value: T,
}

/// In every tag, so that no small number and no text is one.
const MARK: u64 = 0xd5a1_5ea1_0000_0000;
/// What stands in place of the tag once a handle was freed.
const FREED: u64 = 0xdead_dead_dead_dead;

/// A type that C has handles of.
pub(crate) trait Handle {
    /// Which one it is: different for each.
    const NUMBER: u32;
    const TAG: u64 = MARK | Self::NUMBER as u64;
}

impl<T: Handle> Tagged<T> {
    /// For a handle that is lent and not given away.
    pub(crate) fn new(value: T) -> Self {
        Self { tag: T::TAG, value }
    }

    /// The handle, good until the value is taken out of here.
    pub(crate) fn handle(&self) -> *const T {
        ptr::from_ref(self).cast()
    }
}

impl<T> Drop for Tagged<T> {
    fn drop(&mut self) {
        // Volatile, since nothing of Rust's reads it again.
        // SAFETY: a field of this value, which lives until the end of this function.
        unsafe { ptr::write_volatile(&raw mut self.tag, FREED) }
    }
}

/// Gives a value away as a handle, which comes back to [`give_back`].
pub(crate) fn give<T: Handle>(value: T) -> *mut T {
    Box::into_raw(Box::new(Tagged::new(value))).cast()
}

/// Drops the value of a handle. NULL, and what is no handle of this type, is left alone.
pub(crate) fn give_back<T: Handle>(handle: *mut T) {
    if let Some(tagged) = find(handle) {
        // SAFETY: the tag says that `give` made it and that it did not come back before.
        drop(unsafe { Box::from_raw(tagged.as_ptr()) });
    }
}

/// The value of a handle; nothing for NULL and for what is no handle of this type.
pub(crate) fn known<'a, T: Handle>(handle: *const T) -> Option<&'a T> {
    // SAFETY: the tag says that it is a handle of this type, and by contract no one changes or frees it in the call.
    find(handle.cast_mut()).map(|tagged| unsafe { &(*tagged.as_ptr()).value })
}

/// An argument that is a handle: `*const` for one that may be shared, `*mut` for one that this call alone has.
pub(crate) trait Argument<'a> {
    type Value;

    /// The value of the handle; nothing for NULL.
    fn value(self, name: &'static str) -> Result<Option<Self::Value>, CallError>;
}

impl<'a, T: Handle + 'a> Argument<'a> for *const T {
    type Value = &'a T;

    fn value(self, name: &'static str) -> Result<Option<&'a T>, CallError> {
        if self.is_null() { Ok(None) } else { known(self).map(Some).ok_or_else(|| CallError::wrong_handle(name)) }
    }
}

impl<'a, T: Handle + 'a> Argument<'a> for *mut T {
    type Value = &'a mut T;

    fn value(self, name: &'static str) -> Result<Option<&'a mut T>, CallError> {
        if self.is_null() {
            return Ok(None);
        }
        let tagged = find(self).ok_or_else(|| CallError::wrong_handle(name))?;
        // SAFETY: the tag says that it is a handle of this type, and by contract no other call has it at this time.
        Ok(Some(unsafe { &mut (*tagged.as_ptr()).value }))
    }
}

fn find<T: Handle>(handle: *mut T) -> Option<NonNull<Tagged<T>>> {
    let tagged = NonNull::new(handle.cast::<Tagged<T>>()).filter(|tagged| tagged.is_aligned())?;
    // SAFETY: by contract it is a handle of this library, all of which begin with their tag, or was one: then nothing
    // that this library does can tell, but the tag was overwritten, and is read as it stands in memory.
    let tag = unsafe { ptr::read_volatile(tagged.as_ptr().cast::<u64>()) };
    (tag == T::TAG).then_some(tagged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::head::Head;
    use std::mem::MaybeUninit;

    #[test]
    fn a_handle_is_one_of_its_own_type() {
        let head = give(Head(dualseal_core::Head::EMPTY));
        assert!(known(head.cast_const()).is_some());
        assert!(known(head.cast_const().cast::<Domain>()).is_none());
        assert!(known(head.cast_const().wrapping_byte_add(1)).is_none());
        assert!(head.cast::<Domain>().value("domain").is_err());
        assert!(ptr::null::<Domain>().value("domain").is_ok_and(|value| value.is_none()));
        // Left alone, and so still there to be freed as what it is.
        give_back(head.cast::<Domain>());
        give_back(head);
        give_back(ptr::null_mut::<Head>());
    }

    /// In memory that is still there: an allocator writes over what is freed, and would hide that nobody else did.
    #[test]
    fn a_tag_is_overwritten_with_its_value() {
        let mut memory = MaybeUninit::<Tagged<Head>>::uninit();
        let handle = memory.write(Tagged::new(Head(dualseal_core::Head::EMPTY))).handle();
        assert!(known(handle).is_some());
        // SAFETY: written above, and not used as what it was again.
        unsafe { memory.assume_init_drop() };
        assert!(known(memory.as_ptr().cast::<Head>()).is_none());
    }
}
