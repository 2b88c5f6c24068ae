//! A proof as data, and typeset from it as PDF/A-3b in three languages. What the page says follows from what was signed
//! and from nothing else, so that whoever has the two files prints the same page again, byte by byte.
//!
//! | module | what it is |
//! |---|---|
//! | `language` | the languages of a page |
//! | `faulty` | why two files are no proof |
//! | `moment` | times, as each language writes them |
//! | [`text`] | the text that is signed, by kind |
//! | `evidence` | what a page tells of a file of evidence |
//! | `witnessed` | who saw a checkpoint, by the library |
//! | `proof` | a proof read, and held against itself |
//! | `words` | what is said in Croatian, English and German |
//! | `page` | what is printed: sentences, a table, hashes, attachments |
//! | `pdf` | the page as PDF/A-3b, where the feature `typst` is chosen |

mod evidence;
mod faulty;
mod language;
mod moment;
mod page;
#[cfg(feature = "typst")]
mod pdf;
mod proof;
pub mod text;
mod witnessed;
mod words;

pub use faulty::Faulty;
pub use language::Language;
pub use page::{Attachment, Cell, Hash, Page, Table};
#[cfg(feature = "typst")]
pub use pdf::{Unprinted, pdf};
pub use proof::Proof;
