//! Independent pieces of one suite, on all processors.

use std::sync::Mutex;
use std::thread;

/// Does `work` once for each item, on as many threads as there are processors. It returns what is to be printed, which
/// is printed whole as it is done; its errors are gathered, so that one failure hides no other.
pub(crate) fn each<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<String, String> + Sync) -> Result<(), String> {
    let queue = Mutex::new(items.iter());
    let failures = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    match work(item) {
                        Ok(text) => println!("{}", text.trim_end()),
                        Err(why) => {
                            println!("{why}");
                            if let Ok(mut failures) = failures.lock() {
                                failures.push(why);
                            }
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().map_err(|_| "a thread of this suite ended early".to_owned())?;
    match failures.as_slice() {
        [] => Ok(()),
        [only] => Err(only.clone()),
        [first, rest @ ..] => Err(format!("{first}\nand {} more", rest.len())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::each;

    #[test]
    fn each_item_is_done_once() {
        let items: Vec<u32> = (1..=100).collect();
        let sum = AtomicU32::new(0);
        let done = each(&items, |item| {
            sum.fetch_add(*item, Ordering::Relaxed);
            Ok(String::new())
        });
        assert_eq!((done, sum.into_inner()), (Ok(()), 5050));
        assert_eq!(each(&[0_u8; 0], |_| Err("never".to_owned())), Ok(()));
    }

    #[test]
    fn one_failure_stops_no_other_item() {
        let failing = |item: &u32| if item.is_multiple_of(2) { Err("even".to_owned()) } else { Ok(String::new()) };
        assert_eq!(each(&[1, 2, 3], failing), Err("even".to_owned()));
        assert_eq!(each(&[1, 2, 4, 6], failing), Err("even\nand 2 more".to_owned()));
    }
}
