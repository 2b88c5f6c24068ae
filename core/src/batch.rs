//! Many verifications at once: one result for each item, in order, none stopping the rest. Many records or seals made
//! at once: all, or none.
//!
//! The items of a batch run on the [`Threads`] that it is given: with `std` on as many as are asked for, without on the
//! calling one. Either way the caller is told after each portion.

mod making;
#[cfg(feature = "std")]
mod spread;
mod threads;

pub use making::{seal_payloads, sign_contents};
pub use threads::Threads;

use crate::domain::Domain;
use crate::error::Error;
use crate::id::{HashedContent, IdentityId};
use crate::krunica::Located;
use crate::seal::{Legacy, Policy, Seal, SealCheck, SealReport, SealVerifier};
use crate::signature::{SignatureRecord, Verifier};
use crate::vault::{Standing, StoredHash, VaultPolicy, VaultRecord, VaultReport, VaultVerifier};
use crate::verdict::Verdict;
use alloc::vec::Vec;

/// Items of a portion. Each takes about 0.1 ms or more, so that a portion is worth sharing out and progress is told
/// often.
const PORTION: usize = 256;

/// Signatures that one thread verifies side by side: as many as the widest lanes.
const TOGETHER: usize = 8;

/// Signatures that a thread takes at a time, at most: to hand over what it gives, and to wake whoever waits for it,
/// takes as long as to verify two.
const HANDED: usize = 256;

/// Contents that one thread identifies together: each takes less than it takes to hand it to a thread, and a processor
/// hashes up to eight in the time of one.
const GROUP: usize = 32;

/// Bytes of contents that one thread identifies together where they are more than [`TOGETHER`]: of long ones each is
/// worth handing to a thread, and 32 would keep one at work long after the others have ended.
const GROUP_BYTES: usize = 1 << 16;

/// How far a batch has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The items, from the first on, that have a result: a multiple of 256, and at the end all.
    pub done: usize,
    /// All items.
    pub all: usize,
}

/// A content to be identified; see [`identify`].
#[derive(Clone, Copy, Debug)]
pub struct ContentItem<'a> {
    /// The content.
    pub content: &'a [u8],
    /// Who made it.
    pub creator: &'a str,
    /// In which context.
    pub context: &'a str,
}

/// A record to be verified; see [`verify_signatures`].
#[derive(Clone, Debug)]
pub struct SignatureItem<'a> {
    /// The content at hand, hashed for the identity that is expected.
    pub content: HashedContent,
    /// The record.
    pub record: SignatureRecord,
    /// The proven place of its entry.
    pub place: Option<&'a Located>,
}

/// A seal to be checked; see [`verify_seals`].
#[derive(Clone, Copy, Debug)]
pub struct SealItem<'a> {
    /// The seal.
    pub seal: &'a Seal,
    /// What was sealed.
    pub payload: &'a [u8],
    /// Whose seal it is.
    pub identity_id: &'a IdentityId,
    /// What is asked of it.
    pub policy: Policy<'a>,
    /// Whether a legacy seal counts.
    pub legacy: Legacy,
    /// The proven place of its entry.
    pub place: Option<&'a Located>,
}

/// A vault record to be verified; see [`verify_records`].
#[derive(Debug)]
pub struct RecordItem<'a> {
    /// The record.
    pub record: VaultRecord,
    /// The hash of its stored bytes.
    pub stored: &'a StoredHash,
    /// Whose record is expected; the one that the record names where it may be anybody's.
    pub identity_id: IdentityId,
    /// What is known beside them.
    pub standing: Standing<'a>,
}

/// Identifies many contents; see [`Domain::identity_id`].
///
/// ```
/// use dualseal::Domain;
/// use dualseal::batch::{ContentItem, Threads, identify};
///
/// let items = ["deed 17", "deed 18", "deed 19"]
///     .map(|name| ContentItem { content: name.as_bytes(), creator: "land registry", context: "Split" });
/// let mut told = Vec::new();
/// let mut tell = |progress: dualseal::batch::Progress| told.push(progress.done);
/// let ids = identify(&Domain::default(), items.to_vec(), Threads::current(), &mut tell);
/// assert!(ids.iter().all(Result::is_ok) && told == [3]);
/// ```
pub fn identify(
    domain: &Domain,
    items: Vec<ContentItem<'_>>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Vec<Result<IdentityId, Error>> {
    run_together(items, threads, progress, (|_| GROUP, |item| item.content.len()), |items| {
        domain.identity_ids(&items, |item| (item.content, item.creator, item.context))
    })
}

/// Verifies many signature records; see [`Verifier::verify`].
pub fn verify_signatures(
    verifier: &Verifier<'_>,
    items: Vec<SignatureItem<'_>>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Vec<Verdict<SignatureRecord>> {
    // What another pool shares out is a portion, of which each of its threads is to have some.
    let most = if threads == Threads::current() { TOGETHER } else { HANDED };
    // Fewer towards the end, so that no thread is long at work when the others have nothing more to do.
    let shares = threads.count().saturating_mul(2);
    let handed = |left: usize| left.div_ceil(shares).clamp(TOGETHER, most).next_multiple_of(TOGETHER);
    run_together(items, threads, progress, (handed, |_| 0), |items| {
        let mut verdicts = Vec::with_capacity(items.len());
        let mut items = items.into_iter().map(|item| (item.content, item.record, item.place)).peekable();
        while items.peek().is_some() {
            verdicts.extend(verifier.verify_all(items.by_ref().take(TOGETHER)));
        }
        verdicts
    })
}

/// Checks many seals; see [`SealVerifier::verify`].
pub fn verify_seals(
    verifier: &SealVerifier<'_>,
    items: Vec<SealItem<'_>>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Vec<SealReport> {
    run_together(items, threads, progress, (|_| TOGETHER, |_| 0), |items| {
        SealCheck::finish_all(items.into_iter().map(|item| {
            let mut check = verifier.begin(item.seal, item.identity_id, item.policy, item.legacy, item.place);
            check.update(item.payload);
            check
        }))
    })
}

/// Verifies many vault records, each by itself; see [`VaultVerifier::verify`]. What a ledger says as a whole is for
/// [`LedgerCheck`](crate::vault::LedgerCheck).
pub fn verify_records<P: VaultPolicy>(
    verifier: &VaultVerifier<'_>,
    policy: &P,
    items: Vec<RecordItem<'_>>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Vec<VaultReport<P::Record>> {
    run(items, threads, progress, |item| {
        verifier.verify(item.record, item.stored, &item.identity_id, policy, item.standing)
    })
}

/// Does the same with many items, whatever it is: for a caller that reads its items on these threads, too, and gives
/// each thread a group of them. What `each` does inside is on [`Threads::calling`].
///
/// ```
/// use dualseal::batch::{Threads, map};
///
/// assert_eq!(map(vec!["a", "bcd"], Threads::all(), |text| text.len()), [1, 3]);
/// ```
pub fn map<T: Send, U: Send>(items: Vec<T>, threads: Threads, each: impl Fn(T) -> U + Sync) -> Vec<U> {
    run(items, threads, &mut |_| {}, each)
}

/// As [`run`], for items that are worked on side by side: so many of those that are left at most, fewer where a thread
/// would have none, and of those with many bytes no more than fill the lanes.
fn run_together<T: Send, U: Send>(
    items: Vec<T>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
    (together, bytes_of): (impl Fn(usize) -> usize, impl Fn(&T) -> usize),
    each: impl Fn(Vec<T>) -> Vec<U> + Sync,
) -> Vec<U> {
    let all = items.len();
    let together = |left| all.div_ceil(threads.count()).clamp(1, together(left));
    let (mut room, mut bytes) = (0, 0_usize);
    let mut groups: Vec<Vec<T>> = Vec::with_capacity(all.div_ceil(together(all)));
    for (place, item) in items.into_iter().enumerate() {
        let more = bytes.saturating_add(bytes_of(&item));
        match groups.last_mut() {
            Some(group) if group.len() < room && (group.len() < TOGETHER || more <= GROUP_BYTES) => {
                bytes = more;
                group.push(item);
            }
            _ => {
                bytes = bytes_of(&item);
                // None lies in two portions, so that what is told does not depend on how many threads there are.
                room = together(all.saturating_sub(place)).min(PORTION.saturating_sub(place % PORTION));
                let mut group = Vec::with_capacity(room);
                group.push(item);
                groups.push(group);
            }
        }
    }
    let mut results = Vec::with_capacity(all);
    let keep = |group| results.extend::<Vec<U>>(group);
    let told = portions(groups.iter().map(Vec::len));
    run_portions(groups, (all, &told), threads, progress, Vec::len, keep, each);
    results
}

fn run<T: Send, U: Send>(
    items: Vec<T>,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
    each: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    let all = items.len();
    let mut results = Vec::with_capacity(all);
    let told = portions(items.iter().map(|_| 1));
    run_portions(items, (all, &told), threads, progress, |_| 1, |result| results.push(result), each);
    results
}

/// After how many of the groups of these sizes the caller is told: when one more portion of the items has ended, and at
/// the end.
fn portions(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let (mut told, mut groups, mut items) = (Vec::new(), 0_usize, 0_usize);
    for size in sizes {
        let before = items;
        (groups, items) = (groups.saturating_add(1), items.saturating_add(size));
        if items.div_euclid(PORTION) > before.div_euclid(PORTION) {
            told.push(groups);
        }
    }
    if groups > told.last().copied().unwrap_or(0) {
        told.push(groups);
    }
    told
}

/// `told` are the [`portions`], `size` says how many of `all` a result is of. `keep` takes the results in the order of
/// the items, while threads work on others: at the end nothing is left to be moved.
fn run_portions<T: Send, U: Send>(
    items: Vec<T>,
    (all, told): (usize, &[usize]),
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
    size: impl Fn(&U) -> usize,
    mut keep: impl FnMut(U),
    each: impl Fn(T) -> U + Sync,
) {
    let mut done = 0_usize;
    #[cfg(feature = "std")]
    if let threads::Kind::AtMost(at_most) = threads.0
        && at_most.min(items.len()) > 1
    {
        let count = at_most.min(items.len());
        let (mut ended, mut next) = (0_usize, told.iter().peekable());
        let take = |result| {
            ended = ended.saturating_add(1);
            done = done.saturating_add(size(&result));
            keep(result);
            if next.next_if_eq(&&ended).is_some() {
                progress(Progress { done, all });
            }
        };
        spread::spread(items, count, std::thread::Builder::new, take, &each);
        return;
    }
    let (mut items, mut before) = (items.into_iter(), 0_usize);
    for end in told {
        let portion = items.by_ref().take(end.saturating_sub(before)).collect();
        before = *end;
        on_these(portion, threads, &each, |result| {
            done = done.saturating_add(size(&result));
            keep(result);
        });
        progress(Progress { done, all });
    }
}

fn on_these<T: Send, U: Send>(portion: Vec<T>, threads: Threads, each: &(impl Fn(T) -> U + Sync), keep: impl FnMut(U)) {
    match threads.0 {
        #[cfg(feature = "rayon")]
        threads::Kind::Current => {
            use rayon::iter::{IntoParallelIterator, ParallelIterator};
            let results: Vec<U> = portion.into_par_iter().map(each).collect();
            results.into_iter().for_each(keep);
        }
        _ => portion.into_iter().map(each).for_each(keep),
    }
}
