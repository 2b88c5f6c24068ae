//! Every line of shell in `docs/CLI.md` is run, in the order of the page, by one shell in one folder that is empty at
//! first. It has no home folder but what the page gives it.

use crate::run::Place;

const PAGE: &str = include_str!("../../../docs/CLI.md");

#[test]
fn the_page_runs() {
    let place = Place::new("page");
    let blocks: Vec<&str> = PAGE.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    let ran = place.shell_without_home(&format!("set -eux\n{}", blocks.concat()));
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(blocks.len() >= 8, "{}", blocks.len());
    // Every block of code is one that is run.
    assert_eq!(PAGE.matches("```").count(), 2 * blocks.len());
}
