//! Who may read what is written.

use std::fs::{DirBuilder, OpenOptions};

/// Who may read a file or a folder that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// As the user's own settings say.
    All,
    /// The owner alone (mode 0600 where modes exist, 0700 of a folder).
    Owner,
}

impl Readers {
    /// As a journal has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Owner => "owner",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::All, Self::Owner].into_iter().find(|readers| readers.name() == name)
    }

    #[cfg(unix)]
    pub(super) fn of_file(self, options: &mut OpenOptions) {
        if self == Self::Owner {
            std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
        }
    }

    #[cfg(unix)]
    pub(super) fn of_folder(self, builder: &mut DirBuilder) {
        if self == Self::Owner {
            std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
        }
    }

    #[cfg(not(unix))]
    #[allow(clippy::unused_self, reason = "there are no modes here")]
    pub(super) fn of_file(self, _: &mut OpenOptions) {}

    #[cfg(not(unix))]
    #[allow(clippy::unused_self, reason = "there are no modes here")]
    pub(super) fn of_folder(self, _: &mut DirBuilder) {}
}
