//! Every proof of every tree of 0 to 130 leaves, or 300 in `cargo xtask assure`, with its path altered in every byte
//! and length: no altered one holds. Of 300, Go's program refuses as many in `tests/go/altered_test.go`, made of the
//! same proofs by the same rule.

use dualseal::tree::{Frontier, NodeReader, Tree, TreeHash, holds_growth, holds_leaf, prove_growth, prove_leaf};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// How many there are, which follows from the lengths of the paths.
struct Counts {
    proofs: u64,
    places: u64,
    growths: u64,
}

/// The largest tree, and what there is in all up to it.
fn asked() -> (u64, Counts) {
    match std::env::var("DUALSEAL_TREES").as_deref() {
        Err(_) => (130, Counts { proofs: 8_515, places: 2_017_083, growths: 1_988_952 }),
        Ok("300") => (300, Counts { proofs: 45_150, places: 12_822_673, growths: 12_744_168 }),
        Ok(other) => panic!("nobody has counted the paths of {other:?} trees"),
    }
}

/// The leaves, which are the numbers from 0 in decimal, the roots of all their trees, and the nodes of the largest.
struct Grown {
    leaves: Vec<TreeHash>,
    roots: Vec<TreeHash>,
    nodes: BTreeMap<(u8, u64), TreeHash>,
}

impl Grown {
    fn new(largest: u64) -> Self {
        let leaves: Vec<TreeHash> = (0..largest).map(leaf).collect();
        let (mut frontier, mut tree) = (Frontier::new(), Tree::new());
        let (mut nodes, mut roots) = (BTreeMap::new(), vec![tree.root()]);
        for leaf in &leaves {
            frontier.push_noting(*leaf, |level, index, root| assert_eq!(nodes.insert((level, index), *root), None));
            tree.push(*leaf);
            assert_eq!(frontier.root(), tree.root());
            roots.push(tree.root());
        }
        Self { leaves, roots, nodes }
    }

    fn root(&self, size: u64) -> &TreeHash {
        &self.roots[usize::try_from(size).unwrap()]
    }
}

impl NodeReader for &Grown {
    type Error = Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Infallible> {
        Ok(self.nodes[&(level, index)])
    }
}

fn leaf(number: u64) -> TreeHash {
    TreeHash::of_leaf(number.to_string().as_bytes())
}

#[test]
fn no_altered_place_holds() {
    let (largest, counts) = asked();
    let grown = Grown::new(largest);
    let (mut proofs, mut altered) = (0, 0);
    for size in 0..=largest {
        let root = grown.root(size);
        assert_eq!(prove_leaf(&mut &grown, size, size), Ok(None));
        assert!(!holds_leaf(root, size, size, &leaf(largest), &[]));
        for (index, of) in (0..size).zip(&grown.leaves) {
            let path = prove_leaf(&mut &grown, size, index).unwrap().unwrap();
            assert!(holds_leaf(root, size, index, of, &path), "{index} of {size}");
            proofs += 1;
            each_path(&path, largest, |path| {
                assert!(!holds_leaf(root, size, index, of, path), "{index} of {size}: {path:?}");
                altered += 1;
            });
        }
    }
    assert_eq!((proofs, altered), (counts.proofs, counts.places));
}

/// What has grown from nothing has any root, and an empty proof.
#[test]
fn no_altered_growth_holds() {
    let (largest, counts) = asked();
    let grown = Grown::new(largest);
    let (mut proofs, mut altered, mut from_nothing) = (0, 0, 0);
    for size in 0..=largest {
        let root = grown.root(size);
        assert_eq!(prove_growth(&mut &grown, size + 1, size), Ok(None));
        for before in 0..=size {
            let (old, path) = (grown.root(before), prove_growth(&mut &grown, before, size).unwrap().unwrap());
            assert!(holds_growth(old, before, root, size, &path), "{before} to {size}");
            proofs += 1;
            let counted = if before == 0 { &mut from_nothing } else { &mut altered };
            each_path(&path, largest, |path| {
                assert!(!holds_growth(old, before, root, size, path), "{before} to {size}: {path:?}");
                *counted += 1;
            });
        }
    }
    let sizes = largest + 1;
    assert_eq!((proofs, altered, from_nothing), (counts.proofs + sizes, counts.growths, sizes * 3));
}

/// Each byte of each hash, by one of its bits; each shorter length; each hash left out, there twice, and in the other
/// order with the one before it; one hash more at either end, and 71 more.
fn each_path(path: &[TreeHash], largest: u64, mut each: impl FnMut(&[TreeHash])) {
    let mut changed = path.to_vec();
    for (at, hash) in path.iter().enumerate() {
        for place in 0..32 {
            let mut bytes = *hash.as_bytes();
            bytes[place] ^= 1 << (place % 8);
            changed[at] = TreeHash::from_bytes(bytes);
            each(&changed);
        }
        changed[at] = *hash;
        each(&path[..at]);
        each(&[&path[..at], &path[at + 1..]].concat());
        each(&[&path[..=at], &path[at..]].concat());
        if at > 0 {
            changed.swap(at - 1, at);
            each(&changed);
            changed.swap(at - 1, at);
        }
    }
    // The leaf behind the last one is in none of these trees.
    let more = leaf(largest);
    each(&[path, &[more]].concat());
    each(&[&[more], path].concat());
    each(&[path, &[more; 71]].concat());
}
