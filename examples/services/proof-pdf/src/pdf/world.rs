//! What the typesetter may read: its template, the page, the files inside, and its own fonts. There is no disk, no
//! network, no clock.

use std::collections::HashMap;
use std::sync::LazyLock;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, PathError, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _};

const TEMPLATE: &str = include_str!("page.typ");

/// The same for every page.
struct Shared {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let fonts: Vec<Font> = typst_assets::fonts().flat_map(|data| Font::iter(Bytes::new(data))).collect();
    let library: Library = Library::builder().build();
    Shared { library: LazyHash::new(library), book: LazyHash::new(FontBook::from_fonts(&fonts)), fonts }
});

/// What one page is made of.
pub(super) struct World {
    template: Source,
    files: HashMap<FileId, Bytes>,
}

impl World {
    /// Of files by their names.
    ///
    /// # Errors
    /// A name that is no path.
    pub(super) fn new(files: impl Iterator<Item = (String, Vec<u8>)>) -> Result<Self, PathError> {
        let named = |(name, bytes): (String, Vec<u8>)| Ok((file(&name)?, Bytes::new(bytes)));
        let template = Source::new(file("page.typ")?, TEMPLATE.to_owned());
        Ok(Self { template, files: files.map(named).collect::<Result<_, PathError>>()? })
    }
}

fn file(name: &str) -> Result<FileId, PathError> {
    Ok(FileId::new(RootedPath::new(VirtualRoot::Project, VirtualPath::new(name)?)))
}

impl typst::World for World {
    fn library(&self) -> &LazyHash<Library> {
        &SHARED.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &SHARED.book
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() { Ok(self.template.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        self.files.get(&id).cloned().ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        SHARED.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
