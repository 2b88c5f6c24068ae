//! The story of three people, told by a shell script from empty folders.

use crate::run::{DUALSEAL, Place};
use std::path::Path;
use std::process::Command;

#[test]
fn three_people() {
    let place = Place::new("story");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/story.sh");
    let output = Command::new("sh").arg(script).arg(DUALSEAL).arg(place.path("")).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.ends_with("the story holds\n"), "{told}");
}
