//! Merkle trees against the vectors of the Certificate Transparency programs.

use dualseal::tree::{Tree, TreeHash, holds_growth, holds_leaf};
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value as Json;

fn hashes(values: &[Json]) -> Option<Vec<TreeHash>> {
    values.iter().map(|value| value.as_str()?.parse().ok()).collect()
}

#[test]
fn roots_of_the_first_leaves() {
    let vectors = json("merkle/transparency-dev.json");
    let leaves = items(&vectors, "leaves").iter().map(|leaf| hex::decode(leaf.as_str().unwrap()).unwrap());
    let leaves: Vec<TreeHash> = leaves.map(|leaf| TreeHash::of_leaf(&leaf)).collect();
    let roots = hashes(items(&vectors, "roots")).unwrap();
    assert_eq!((leaves.len(), roots.len()), (8, 9));
    for (size, root) in roots.iter().enumerate() {
        assert_eq!(leaves[..size].iter().copied().collect::<Tree>().root(), *root, "{size} leaves");
    }
}

/// A root or a hash of the path that has not 32 bytes cannot be written down here: such a proof is refused before.
#[test]
fn paths_good_and_bad() {
    let vectors = json("merkle/transparency-dev.json");
    let (mut held, mut refused) = (0, 0);
    for item in items(&vectors, "inclusion") {
        let of_32 = |name: &str| <[u8; 32]>::try_from(bytes(item, name)).ok().map(TreeHash::from_bytes);
        let number = |name: &str| item[name].as_u64();
        let found = (|| {
            let path = hashes(item["path"].as_array()?)?;
            Some(holds_leaf(&of_32("root")?, number("size")?, number("index")?, &of_32("leaf_hash")?, &path))
        })();
        assert_eq!(found.unwrap_or(false), item["holds"].as_bool().unwrap(), "{}", string(item, "name"));
        *if found == Some(true) { &mut held } else { &mut refused } += 1;
    }
    assert_eq!((held, refused), (6, 92));
}

/// A root that has not 32 bytes stands for some other one here. From no leaves every tree has grown, and its proof is
/// empty; there that is refused.
#[test]
fn growth_good_and_bad() {
    let vectors = json("merkle/transparency-dev.json");
    let (mut held, mut refused) = (0, 0);
    for item in items(&vectors, "consistency") {
        let root = |name: &str| {
            let root = bytes(item, name);
            <[u8; 32]>::try_from(&*root).map_or_else(|_| TreeHash::of_leaf(&root), TreeHash::from_bytes)
        };
        let number = |name: &str| item[name].as_u64();
        let found = (|| {
            let path = hashes(item["path"].as_array()?)?;
            Some(holds_growth(&root("root1"), number("size1")?, &root("root2"), number("size2")?, &path))
        })();
        let name = string(item, "name");
        let expected = item["holds"].as_bool().unwrap() || name == "additional/size1-is-zero-and-size2-is-not-zero";
        assert_eq!(found.unwrap_or(false), expected, "{name}");
        *if found == Some(true) { &mut held } else { &mut refused } += 1;
    }
    assert_eq!((held, refused), (7, 91));
}
