//! A job whose row is not read.

use super::*;
use std::sync::Mutex;

#[tokio::test]
async fn a_job_that_is_not_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open("sqlite:x", folder.path(), 2).await.unwrap();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let tells = Arc::clone(&told);
    let jobs = Jobs::new(db, Clock::system())
        .telling(Arc::new(move |name, why| tells.lock().unwrap().push(format!("{name} {why}"))))
        .with("one", SELDOM, SELDOM, || async { Ok(()) });
    let mut unread = 0;
    for looks in 0..=LOOKS_UNTOLD {
        assert!(told.lock().unwrap().is_empty(), "{looks}");
        jobs.look(&jobs.jobs[0], &mut unread).await;
    }
    assert!(told.lock().unwrap()[0].starts_with("one it is not read: "));
    assert_eq!((told.lock().unwrap().len(), unread), (1, LOOKS_UNTOLD + 1));
}
