//! A statement, in the list that a test prepares on both databases.

/// A statement of one of the lists that [`statements!`](crate::db::statements) makes: one text, with `$1`, `$2`, … in
/// it, for both databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    text: &'static str,
    lock: Lock,
}

/// What becomes of the rows that a statement reads, until its transaction ends. On SQLite every transaction that writes
/// has locked everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    None,
    Wait,
    Skip,
}

impl Statement {
    /// A statement; [`statements!`](crate::db::statements) puts it into its list.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self { text, lock: Lock::None }
    }

    /// One that locks the rows that it reads, until its transaction ends.
    #[must_use]
    pub const fn locking(self) -> Self {
        Self { lock: Lock::Wait, ..self }
    }

    /// The same, of rows that nobody else has locked: who has many never waits for who waits for him.
    #[must_use]
    pub const fn skipping(self) -> Self {
        Self { lock: Lock::Skip, ..self }
    }

    pub(super) const fn text(self) -> &'static str {
        self.text
    }

    pub(super) const fn locks(self) -> bool {
        !matches!(self.lock, Lock::None)
    }

    pub(super) fn for_postgres(self) -> String {
        match self.lock {
            Lock::None => self.text.to_owned(),
            Lock::Wait => format!("{} FOR UPDATE", self.text),
            Lock::Skip => format!("{} FOR UPDATE SKIP LOCKED", self.text),
        }
    }
}

/// Names statements, and lists them as `ALL`, which the test of all statements takes. A text that several share is a
/// macro's, in parentheses:
///
/// ```
/// platform::db::statements! {
///     /// The entry at a place.
///     FIND = "SELECT json FROM entries WHERE seq = $1";
///     /// The log's own row, until the transaction ends.
///     HOLD = locking "SELECT state FROM logs WHERE name = $1";
///     /// All of them.
///     EACH = (concat!("SELECT json FROM entries", " ORDER BY seq"));
/// }
/// assert_eq!(ALL.len(), 3);
/// ```
#[macro_export]
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $($locking:ident)? $($text:literal)? $(($shared:expr))?;)+) => {
        $($(#[$doc])* pub(crate) const $name: $crate::db::Statement =
            $crate::db::Statement::new($($text)? $($shared)?)$(.$locking())?;)+
        /// All of them.
        pub(crate) const ALL: &[$crate::db::Statement] = &[$($name),+];
    };
}

pub use crate::statements;
