//! What is seen of the files, whatever somebody who writes among them does.

mod told;

use super::look::Place;
use super::manifest::Manifest;
use super::tree::{Globs, Listing, Staged, list, text};
use super::types::{Stands, StatusOut};
use super::watch::Watch;
use crate::testing::House;
use dualseal::{Domain, SigningKey};
use platform::apart::Apart;
use platform::db::Statement;
use platform::values;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MINUTES: i64 = 600_000;

/// Files that a deployer watches, on a machine of their own.
struct Machine {
    house: House,
    watch: Watch,
    key: SigningKey,
    folder: TempDir,
}

impl Machine {
    /// With a signed manifest of three files in two folders.
    async fn new() -> Self {
        let machine = Self::unsigned().await;
        machine.sign(1, &machine.key);
        machine
    }

    async fn unsigned() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = SigningKey::from_seed(&[7; 32]).unwrap();
        for (path, content) in [("a", "one"), ("b", "two"), ("below/c", "three")] {
            let path = folder.path().join("tree").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        fs::write(folder.path().join("pin"), key.public_key().hash().to_hex()).unwrap();
        fs::set_permissions(folder.path().join("pin"), PermissionsExt::from_mode(0o644)).unwrap();
        let place = Place {
            domain: Domain::default(),
            files: vec![format!("{}/tree/**", folder.path().display())],
            except: vec![format!("{}/tree/*.log", folder.path().display())],
            manifest: Some((folder.path().join("manifest"), folder.path().join("pin"))),
            owner: rustix::process::getuid().as_raw(),
        };
        let watch = Watch::over(place, Apart::folder(folder.path().join("apart")));
        Self { house: House::new().await, watch, key, folder }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn text(&self, number: u64, key: &SigningKey) -> String {
        let files = vec![format!("{}/tree/**", self.folder.path().display())];
        let except = vec![format!("{}/tree/*.log", self.folder.path().display())];
        let entries = list(&Globs::new(&files, &except).unwrap(), &Staged::default());
        let manifest = Manifest::new(number, files, except, entries);
        manifest.signed(&Domain::default(), key, self.house.clock.now()).unwrap()
    }

    fn sign(&self, number: u64, key: &SigningKey) {
        fs::write(self.at("manifest"), self.text(number, key)).unwrap();
    }

    fn said(&self) -> StatusOut {
        self.watch.said(&self.house.app)
    }

    /// How it stands after the next look, with the names of what differs.
    async fn look(&self) -> (StatusOut, Vec<String>) {
        self.house.after(MINUTES);
        self.watch.turn(&self.house.app).await.unwrap();
        let said = self.said();
        let name = |path: &String| Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
        let names = said.anomalies.iter().map(|one| name(&one.path)).collect();
        (said, names)
    }

    async fn alarms(&self) -> usize {
        const ALL: Statement = Statement::new("SELECT id FROM alarms WHERE kind = 'integrity'");
        self.house.app.db.list(ALL, values![]).await.unwrap().len()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_seen_and_told_once() {
    let machine = Machine::new().await;
    let (said, names) = machine.look().await;
    assert_eq!((said.status, said.signed, said.modules, said.number), (Stands::Ok, true, 3, Some(1)), "{names:?}");
    fs::write(machine.at("tree/x.log"), "excepted").unwrap();
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    fs::set_permissions(machine.at("tree/b"), PermissionsExt::from_mode(0o4755)).unwrap();
    fs::remove_file(machine.at("tree/below/c")).unwrap();
    fs::write(machine.at("tree/below/d"), "four").unwrap();
    symlink("/etc", machine.at("tree/out")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        machine.at("tree/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let begun = Instant::now();
    let (said, names) = machine.look().await;
    assert!(begun.elapsed() < Duration::from_secs(20), "somebody was waited for");
    assert_eq!(names, ["a", "b", "c", "d", "out", "pipe"], "no link is followed: {said:?}");
    assert_eq!((said.status, said.count), (Stands::Anomaly, 6));
    let since: Vec<_> = said.anomalies.iter().map(|one| one.since.clone()).collect();
    let of = |index: usize| said.anomalies[index].clone();
    assert_eq!((of(0).kind, of(0).label), ("hash_anomaly", "TAMPER"));
    assert!(of(1).expected.unwrap().starts_with("file 0") && of(1).found.unwrap().starts_with("file 4755"));
    assert!(of(2).found.is_none() && of(3).expected.is_none());
    assert!(of(4).found.unwrap().ends_with(" -> /etc"));
    // The same is told no more, and what goes on changing is.
    assert_eq!(machine.alarms().await, 6);
    let (said, _) = machine.look().await;
    assert_eq!(said.anomalies.iter().map(|one| one.since.clone()).collect::<Vec<_>>(), since);
    assert_eq!(machine.alarms().await, 6);
    fs::write(machine.at("tree/a"), "ONE more").unwrap();
    machine.look().await;
    assert_eq!(machine.alarms().await, 7);
    // What is as it was again is well, and told anew the next time.
    fs::write(machine.at("tree/a"), "one").unwrap();
    assert_eq!(machine.look().await.1, ["b", "c", "d", "out", "pipe"]);
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    assert_eq!(machine.look().await.0.count, 6);
    assert_eq!(machine.alarms().await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_manifest_the_start_is_held_and_said() {
    let machine = Machine::unsigned().await;
    let (said, _) = machine.look().await;
    assert_eq!((said.status, said.signed, said.modules), (Stands::Unsigned, false, 3));
    assert!(said.reason.unwrap().ends_with("there is none"));
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    let (said, names) = machine.look().await;
    assert_eq!((said.status, said.signed, names), (Stands::Anomaly, false, vec!["a".to_owned()]));
}

/// A forger has a key of his own, an old manifest, or a hand on the pin.
#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_that_the_deployer_did_not_sign_last_is_an_anomaly() {
    let machine = Machine::new().await;
    let first = machine.text(1, &machine.key);
    machine.sign(2, &machine.key);
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    let other = SigningKey::from_seed(&[8; 32]).unwrap();
    let signed = machine.text(3, &other);
    let altered = machine.text(2, &machine.key);
    let edited = fs::read_to_string(machine.at("manifest")).unwrap().replacen("\"number\":2", "\"number\":3", 1);
    for (forged, told) in [
        (signed, "not by the pinned key"),
        (edited, "does not hold"),
        (first, "it is an old one"),
        (altered, "another one had its number"),
        ("{}\n".to_owned(), "its signature is none"),
    ] {
        fs::write(machine.at("manifest"), forged).unwrap();
        let (said, names) = machine.look().await;
        assert!(said.reason.as_ref().unwrap().contains(told), "{told}: {said:?}");
        // What counted before is held still.
        assert_eq!((said.status, names), (Stands::Anomaly, vec!["a".to_owned(), "manifest".to_owned()]), "{told}");
    }
    fs::remove_file(machine.at("manifest")).unwrap();
    let (said, names) = machine.look().await;
    assert_eq!((said.signed, names.last().map(String::as_str)), (false, Some("manifest")), "{said:?}");
    machine.sign(3, &machine.key);
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    fs::set_permissions(machine.at("pin"), PermissionsExt::from_mode(0o666)).unwrap();
    let (said, _) = machine.look().await;
    assert!(said.status == Stands::Anomaly && said.reason.unwrap().contains("others than root"), "a pin of anybody's");
}

/// Another process begins, which knows nothing of what this one saw.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_manifest_is_known_after_a_restart() {
    let machine = Machine::new().await;
    let old = machine.text(1, &machine.key);
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    machine.sign(2, &machine.key);
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    fs::write(machine.at("tree/a"), "one").unwrap();
    fs::write(machine.at("manifest"), old).unwrap();
    let place = Place {
        domain: Domain::default(),
        files: vec![format!("{}/tree/**", machine.folder.path().display())],
        except: Vec::new(),
        manifest: Some((machine.at("manifest"), machine.at("pin"))),
        owner: rustix::process::getuid().as_raw(),
    };
    let again = Watch::over(place, Apart::folder(machine.at("apart")));
    again.turn(&machine.house.app).await.unwrap();
    let said = again.said(&machine.house.app);
    assert!(said.status == Stands::Anomaly && said.reason.unwrap().contains("it is an old one"));
}

/// Files and manifest change at once, by a link that is turned: nothing is raised.
#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_is_put_in_place_raises_nothing() {
    let machine = Machine::unsigned().await;
    let files = vec![format!("{}/current/**", machine.folder.path().display())];
    for (number, name) in [(1, "first"), (2, "second")] {
        fs::create_dir(machine.at(name)).unwrap();
        fs::write(machine.at(name).join("program"), name).unwrap();
        let staged = Staged { at: Some((machine.at("current"), machine.at(name))), owner: None };
        let entries = list(&Globs::new(&files, &[]).unwrap(), &staged);
        assert_eq!(entries.len(), 1, "{entries:?}");
        let manifest = Manifest::new(number, files.clone(), Vec::new(), entries);
        let text = manifest.signed(&Domain::default(), &machine.key, machine.house.clock.now()).unwrap();
        fs::write(machine.at(name).join("manifest"), text).unwrap();
    }
    let place = Place {
        domain: Domain::default(),
        files: files.clone(),
        except: Vec::new(),
        manifest: Some((machine.at("current/manifest"), machine.at("pin"))),
        owner: rustix::process::getuid().as_raw(),
    };
    let watch = Watch::over(place, Apart::folder(machine.at("apart")));
    for name in ["first", "second"] {
        symlink(machine.at(name), machine.at("next")).unwrap();
        fs::rename(machine.at("next"), machine.at("current")).unwrap();
        watch.turn(&machine.house.app).await.unwrap();
        let said = watch.said(&machine.house.app);
        assert_eq!(said.status, Stands::Ok, "{said:?}");
    }
    // A change that no manifest knows is one.
    fs::write(machine.at("second/program"), "third").unwrap();
    watch.turn(&machine.house.app).await.unwrap();
    assert_eq!(watch.said(&machine.house.app).status, Stands::Anomaly);
}

#[test]
fn two_names_are_never_one_text() {
    let names: [&[u8]; 7] = [b"a\xff", b"aff", b"a\\xff", b"a\n", b"a\\n", b"a", "č".as_bytes()];
    let texts: std::collections::BTreeSet<_> = names.iter().map(|name| text(name)).collect();
    assert!(texts.len() == names.len() && texts.iter().all(|text| !text.contains('\n')), "{texts:?}");
}

#[test]
fn globs_name_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["a.txt", "b.md", "below/c.txt", "below/deep/d.txt"] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    let named = |files: &[&str], except: &[&str]| {
        let full =
            |globs: &[&str]| globs.iter().map(|glob| format!("{}/{glob}", folder.path().display())).collect::<Vec<_>>();
        let found: Listing = list(&Globs::new(&full(files), &full(except)).unwrap(), &Staged::default());
        let short = |path: &String| path.strip_prefix(&format!("{}/", folder.path().display())).unwrap().to_owned();
        found.keys().map(short).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named(&["*.txt"], &[]), "a.txt");
    assert_eq!(named(&["**/*.txt"], &[]), "a.txt below/c.txt below/deep/d.txt");
    assert_eq!(named(&["**"], &["below/**"]), "a.txt b.md below");
    assert_eq!(named(&["below/c.txt", "a.t?t", "none"], &[]), "a.txt below/c.txt");
    assert_eq!(named(&["*/c.txt"], &[]), "below/c.txt");
}
