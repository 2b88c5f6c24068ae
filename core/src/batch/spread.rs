//! A batch on threads of its own, which have ended when it returns. One that outlived it could hold a lock, of the
//! allocator say, at the moment at which the process is forked, and the child would never get it.
#![cfg(feature = "std")]

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, Builder};

/// Runs `each` on every item, on at most `count` threads that `builder` describes, or on the calling one where the
/// system starts none. Gives `keep` the results there, in the order of the items: each as soon as it and those before
/// it are done.
pub(super) fn spread<T: Send, U: Send>(
    items: Vec<T>,
    count: usize,
    builder: impl Fn() -> Builder,
    mut keep: impl FnMut(U),
    each: &(impl Fn(T) -> U + Sync),
) {
    let mut early = BTreeMap::new();
    let mut next_place = 0_usize;
    let mut take = |place: usize, result| {
        early.insert(place, result);
        while let Some(result) = early.remove(&next_place) {
            next_place = next_place.saturating_add(1);
            keep(result);
        }
    };
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let mut workers = vec![];
        for _ in 0..count {
            let sender = sender.clone();
            let work = move || {
                while let Some((place, item)) = next() {
                    // Nobody takes it when the caller panicked at what it was told.
                    if sender.send((place, each(item))).is_err() {
                        return;
                    }
                }
            };
            match builder().spawn_scoped(scope, work) {
                Ok(worker) => workers.push(worker),
                Err(_) => break,
            }
        }
        drop(sender);
        if workers.is_empty() {
            while let Some((place, item)) = next() {
                take(place, each(item));
            }
        }
        for (place, result) in receiver {
            take(place, result);
        }
        for worker in workers {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{GROUP, GROUP_BYTES, PORTION, Progress, TOGETHER, Threads, run, run_together};
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::collections::HashSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    fn threads(count: usize) -> Threads {
        Threads::new(count).unwrap()
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let here = thread::current().id();
        for all in [0, 1, 2, PORTION - 1, PORTION, PORTION + 1, 2 * PORTION, 2 * PORTION + 1] {
            let expected: Vec<usize> = (0..all).map(|number| number * number).collect();
            for on in [threads(1), threads(2), threads(3), Threads::all(), Threads::current()] {
                let mut told = vec![];
                let mut tell = |progress: Progress| {
                    assert_eq!(thread::current().id(), here);
                    told.push(progress);
                };
                assert_eq!(run((0..all).collect(), on, &mut tell, |number| number * number), expected);
                let portions = (1..=all.div_ceil(PORTION)).map(|portion| all.min(portion * PORTION));
                assert_eq!(told, portions.map(|done| Progress { done, all }).collect::<Vec<_>>());
            }
        }
    }

    /// The first group ends after all others: nothing is told of what has no result, and the same as ever.
    #[test]
    fn what_is_told_depends_on_no_order() {
        for (count, together) in [(2, TOGETHER), (2, 24), (3, 100), (7, PORTION)] {
            let (last, mut told) = (Barrier::new(2), vec![]);
            let numbers: Vec<usize> = (0..=2 * PORTION).collect();
            let mut tell = |progress: Progress| told.push(progress.done);
            let results = run_together(numbers.clone(), threads(count), &mut tell, (|_| together, |_| 0), |group| {
                if group.contains(&0) || group.contains(&(2 * PORTION)) {
                    last.wait();
                }
                group
            });
            assert_eq!((results, told), (numbers, vec![PORTION, 2 * PORTION, 2 * PORTION + 1]), "{count} {together}");
        }
    }

    /// Short items go in large groups, long ones in small ones, in their order; all are worked on once.
    #[test]
    fn one_thread_is_not_given_all_that_is_long() {
        let groups = |sizes: &[usize]| {
            let groups = |group: Vec<usize>| vec![group.len(); group.len()];
            run_together(sizes.to_vec(), Threads::calling(), &mut |_| {}, (|_| GROUP, |size| *size), groups)
        };
        assert_eq!(groups(&[GROUP_BYTES / GROUP; 2 * GROUP]), [GROUP; 2 * GROUP]);
        assert_eq!(groups(&[GROUP_BYTES; 3 * TOGETHER]), [TOGETHER; 3 * TOGETHER]);
        assert_eq!(groups(&[usize::MAX; 3 * TOGETHER]), [TOGETHER; 3 * TOGETHER]);
        // What is long ends a group, and the next begins with nothing.
        let mixed = [vec![0; 9], vec![GROUP_BYTES + 1], vec![0; GROUP]].concat();
        assert_eq!(groups(&mixed), [vec![9; 9], vec![TOGETHER; TOGETHER], vec![25; 25]].concat());
        assert_eq!(groups(&[]), [0; 0]);
    }

    #[test]
    fn fewer_are_taken_at_a_time_as_fewer_are_left() {
        let groups = |all: usize, together: &dyn Fn(usize) -> usize| {
            let sizes = |group: Vec<()>| vec![group.len(); group.len()];
            let on_each = run_together(vec![(); all], threads(2), &mut |_| {}, (together, |()| 0), sizes);
            let mut sizes = vec![];
            while let Some(size) = on_each.get(sizes.iter().sum::<usize>()) {
                sizes.push(*size);
            }
            sizes
        };
        assert_eq!(groups(20, &|left| left.div_ceil(4)), [5, 4, 3, 2, 2, 1, 1, 1, 1]);
        // Each thread has some, however many it may take.
        assert_eq!(groups(7, &|_| 100), [4, 3]);
        assert_eq!(groups(0, &|_| 8), [0; 0]);
    }

    /// Of 300 in groups of different sizes, as of 300 alone: after a portion, and at the end.
    #[test]
    fn it_is_told_as_often_whatever_the_groups_are() {
        for together in [1, 7, TOGETHER, 80, PORTION, 300] {
            for (on, all) in [threads(1), threads(2), threads(3)].into_iter().flat_map(|on| [(on, 300), (on, 1000)]) {
                let mut told = vec![];
                let at_most = |left: usize| left.div_ceil(4).min(together);
                run_together(vec![(); all], on, &mut |told_of| told.push(told_of), (at_most, |()| 0), |group| group);
                assert_eq!(told.len(), all.div_ceil(PORTION), "{together} {told:?}");
                assert_eq!(told.last(), Some(&Progress { done: all, all }));
            }
        }
    }

    #[test]
    fn as_many_threads_work_as_were_asked_for() {
        let here = thread::current().id();
        for count in 2..=4 {
            // Each item waits until every thread has one.
            let barrier = Barrier::new(count);
            let ids = run(vec![(); 3 * count], threads(count), &mut |_| {}, |()| {
                barrier.wait();
                thread::current().id()
            });
            assert!(!ids.contains(&here));
            assert_eq!(ids.into_iter().collect::<HashSet<_>>().len(), count);
        }
    }

    #[test]
    fn one_thread_or_one_item_is_for_the_calling_thread() {
        let here = thread::current().id();
        for (count, all) in [(1, 9), (7, 1), (Threads::MAX, 1)] {
            let ids = run(vec![(); all], threads(count), &mut |_| {}, |()| thread::current().id());
            assert!(ids.iter().all(|id| *id == here) && ids.len() == all);
        }
    }

    /// Where the system starts some, those do it all; where it starts none, the calling thread does.
    #[test]
    fn threads_that_do_not_start_are_done_without() {
        for enough in 0..3 {
            let asked = AtomicUsize::new(0);
            let builder = || {
                let more = asked.fetch_add(1, Ordering::Relaxed) >= enough;
                if more { Builder::new().stack_size(1 << 60) } else { Builder::new() }
            };
            let mut ids = vec![];
            spread(vec![(); 40], 3, builder, |id| ids.push(id), &|()| thread::current().id());
            assert_eq!((asked.into_inner(), ids.len()), (enough + 1, 40));
            assert_eq!(ids.contains(&thread::current().id()), enough == 0);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        for count in [1, 3] {
            let of_item = || run((0..100).collect(), threads(count), &mut |_| {}, |number| assert_ne!(number, 50));
            let payload = catch_unwind(AssertUnwindSafe(of_item)).unwrap_err();
            assert!(payload.downcast_ref::<std::string::String>().unwrap().contains("50"));
            let ended = AtomicUsize::new(0);
            let of_caller = || {
                run(vec![(); 3 * PORTION], threads(count), &mut |_| panic!("told"), |()| {
                    ended.fetch_add(1, Ordering::Relaxed);
                })
            };
            let payload = catch_unwind(AssertUnwindSafe(of_caller)).unwrap_err();
            assert_eq!(payload.downcast_ref::<&str>(), Some(&"told"));
            assert!(ended.into_inner() >= PORTION);
        }
    }

    #[test]
    fn what_is_told_may_run_a_batch_of_its_own() {
        let mut sums = vec![];
        let mut tell = |progress: Progress| {
            let inner = run((0..progress.done).collect(), threads(2), &mut |_| {}, |number| number);
            sums.push(inner.iter().sum::<usize>());
        };
        run(vec![(); PORTION + 1], threads(2), &mut tell, |()| ());
        assert_eq!(sums, [PORTION * (PORTION - 1) / 2, PORTION * (PORTION + 1) / 2]);
    }
}
