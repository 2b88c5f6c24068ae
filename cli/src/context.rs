//! What a command is run in: its common options, the clock, the home folder and the domain.

use crate::domain_file::{self, DomainFile};
use crate::failure::{Failure, HOME, USAGE};
use crate::home::{Home, Location};
use crate::options::Options;
use crate::output::Output;
use crate::secrets::{self, Passphrase};
use crate::trust::{self, Trust};
use dualseal::{KeyRing, Timestamp};
use dualseal_operator::paths::Show;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The surroundings of one command.
#[derive(Debug)]
pub(crate) struct Context {
    options: Options,
    output: Output,
    passphrase: Passphrase,
    /// A command may open its home folder several times, and tells once what is wrong with it.
    warned: Cell<bool>,
}

impl Context {
    pub(crate) fn new(options: Options) -> Self {
        let output = || Output::new(options.json, options.quiet, options.color);
        let (output, of_passphrase) = (output(), output());
        let passphrase = Passphrase::new(options.passphrase_file.clone(), of_passphrase);
        Self { options, output, passphrase, warned: Cell::new(false) }
    }

    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    pub(crate) fn passphrase(&self) -> &Passphrase {
        &self.passphrase
    }

    /// The time that is written down: `--time`, else the clock.
    pub(crate) fn now(&self) -> Result<Timestamp, Failure> {
        if let Some(time) = self.options.time {
            return Ok(time);
        }
        let hint = "set the clock of this machine, or give --time";
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = since.ok().and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(i64::MAX);
        Timestamp::from_millis(millis).map_err(|error| Failure::from(error).about("clock").hint(hint))
    }

    /// The home folder, for reading. A change that a crash interrupted is finished first.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        self.open(false)
    }

    /// The home folder, for writing: nobody else writes until it is dropped.
    pub(crate) fn home_to_write(&self) -> Result<Home, Failure> {
        let home = self.home_unfinished()?;
        self.finish(&home)?;
        Ok(home)
    }

    /// The same, before anything is finished that a killed command did not come to.
    pub(crate) fn home_unfinished(&self) -> Result<Home, Failure> {
        self.open(true)
    }

    /// Finishes that, and says so.
    pub(crate) fn finish(&self, home: &Home) -> Result<(), Failure> {
        home.finish(&self.passphrase)?.iter().for_each(|words| self.output.warn(words));
        Ok(())
    }

    /// As [`home_to_write`](Self::home_to_write), made where there is none.
    pub(crate) fn home_or_new(&self, origin: Option<&str>, protect: bool) -> Result<Home, Failure> {
        let folder = self.home_folder()?;
        if !Home::exists(&folder) {
            let passphrase = self.passphrase.for_new(protect)?;
            let passphrase = passphrase.as_deref().map(String::as_str);
            Home::found(&self.location()?, &self.asked_domain()?.unwrap_or_default(), origin, passphrase)?;
        }
        let home = self.home_to_write()?;
        if origin.is_some_and(|origin| origin != home.origin()) {
            let message = format!("{} has the origin {}, which cannot be changed", folder.shown(), home.origin());
            return Err(Failure::new(HOME, message, "leave --origin out, or name another --home"));
        }
        Ok(home)
    }

    /// The home folder for reading, where there is one.
    pub(crate) fn home_if_any(&self) -> Result<Option<Home>, Failure> {
        match self.home_folder() {
            Ok(folder) if Home::exists(&folder) => self.home().map(Some),
            _ => Ok(None),
        }
    }

    /// Whose keys count: those of the file that was named, else those of the home folder. Whoever names a key or a ring
    /// is a stranger, also where there is a home folder.
    pub(crate) fn trust(&self, named: Option<&Path>, maker: &str) -> Result<(Option<Home>, Trust), Failure> {
        if let Some(path) = named {
            return Ok((None, trust::read(path)?));
        }
        let none = || {
            let hint = format!("ask the {maker} for the public key file and give it with --key");
            Failure::new(USAGE, "nothing says whose keys to trust", hint)
        };
        let home = self.home_if_any()?.ok_or_else(none)?;
        let ring = home.ring(&self.passphrase)?;
        Ok((Some(home), Trust::Own(KeyRing::clone(&ring))))
    }

    /// The domain: what was asked for, else what the given file says, else that of the home folder, else the default.
    pub(crate) fn domain(&self, given: Option<&DomainFile>, home: Option<&Home>) -> Result<DomainFile, Failure> {
        let asked = self.asked_domain()?;
        Ok(asked.or_else(|| given.cloned()).or_else(|| home.map(|home| home.domain().clone())).unwrap_or_default())
    }

    /// As [`domain`](Self::domain), with whether anything says it: of the default nobody knows whether it is the
    /// signer's. A file that says another one than the options is refused, since one of them is wrong.
    pub(crate) fn domain_told(
        &self,
        given: Option<&DomainFile>,
        home: Option<&Home>,
    ) -> Result<(DomainFile, bool), Failure> {
        let asked = self.asked_domain()?;
        if let (Some(asked), Some(given)) = (&asked, given)
            && asked.domain() != given.domain()
        {
            let (asked, given) = (asked.to_words(), given.to_words());
            let message = format!("the key file is of the domain {given}, and the options say {asked}");
            return Err(Failure::new(USAGE, message, "leave --domain out, or ask for the key file of that domain"));
        }
        let is_told = asked.is_some() || given.is_some() || home.is_some();
        Ok((self.domain(given, home)?, is_told))
    }

    /// The domain of what needs no home folder: what was asked for, else that of the home folder where there is one, as
    /// for everything that is made there. The folder stays locked for no longer than that takes.
    pub(crate) fn domain_alone(&self) -> Result<DomainFile, Failure> {
        match self.asked_domain()? {
            Some(domain) => Ok(domain),
            None => self.domain(None, self.home_if_any()?.as_ref()),
        }
    }

    /// The domain that the options name, if they do.
    pub(crate) fn asked_domain(&self) -> Result<Option<DomainFile>, Failure> {
        match (&self.options.domain, &self.options.domain_file) {
            (Some(name), _) => Ok(Some(DomainFile::named(name)?)),
            (None, Some(path)) => domain_file::read(path).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn open(&self, to_write: bool) -> Result<Home, Failure> {
        let folder = self.home_folder()?;
        let home = Home::open(self.location()?, to_write)?;
        if !self.warned.replace(true) {
            secrets::warn_if_others_may_write(&folder, &self.output);
        }
        Ok(home)
    }

    /// How long to wait for somebody else's lock.
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_secs(self.options.lock_wait)
    }

    /// The home folder, and the signer's mark: beside it, since a copy of the folder must not bring it back.
    fn location(&self) -> Result<Location, Failure> {
        let folder = self.home_folder()?;
        let mark = match &self.options.mark {
            Some(mark) => mark.clone(),
            None => beside(&folder)?,
        };
        Ok(Location { folder, mark, wait: self.wait() })
    }

    fn home_folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.options.home {
            return Ok(folder.clone());
        }
        let user = std::env::home_dir().filter(|folder| folder != Path::new(""));
        let none = || Failure::new(HOME, "no home folder is known", "give --home FOLDER or set DUALSEAL_HOME");
        Ok(user.ok_or_else(none)?.join(".dualseal"))
    }
}

/// The file that has the folder's name and `.mark`: by whatever link or path the folder is named it is one file, or the
/// folder would have two marks.
fn beside(folder: &Path) -> Result<PathBuf, Failure> {
    let found = real(folder).and_then(|folder| {
        let mut name = folder.file_name()?.to_owned();
        name.push(".mark");
        Some(folder.with_file_name(name))
    });
    let none = || Failure::new(HOME, "the home folder has no name to call its mark by", "name a file with --mark");
    found.ok_or_else(none)
}

/// The folder without links; of one that is not made yet, as far as there is something.
fn real(folder: &Path) -> Option<PathBuf> {
    if let Ok(real) = folder.canonicalize() {
        return Some(real);
    }
    let folder = std::path::absolute(folder).ok()?;
    Some(real(folder.parent()?)?.join(folder.file_name()?))
}
