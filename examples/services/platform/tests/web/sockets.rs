//! Clients that do not behave, over real sockets: others are served meanwhile.

use crate::service::Service;
use platform::config::{Config, Seconds};
use platform::serve::{ServeSettings, serve};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const PUBLIC: &str = "GET /public HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct Served {
    service: Service,
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Served {
    async fn new(connections: usize, progress: u64) -> Self {
        let mut config = Config::default();
        (config.limits.connections, config.limits.progress) = (connections, Seconds(progress));
        (config.rate.enabled, config.limits.least_rate) = (false, 1000);
        let service = Service::new(config.clone()).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let shutdown = async { drop(ended.await) };
        let settings = ServeSettings { last_requests: Duration::from_secs(3), ..ServeSettings::from(&config) };
        let task = tokio::spawn(serve(listener, service.router.clone(), settings, shutdown));
        Self { service, address, end: Some(end), task }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// What a client of its own gets, on a connection of its own.
    async fn asks(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        rest(&mut stream).await
    }

    async fn answers_others(&self) {
        let started = Instant::now();
        let answer = self.asks(PUBLIC).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("public"), "{answer}");
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

/// Everything to the end of the connection; it ends within seconds, or the test fails.
async fn rest(stream: &mut TcpStream) -> String {
    let mut found = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut found)).await;
    // A reset ends it too; what came before counts.
    drop(read.expect("the connection does not end"));
    String::from_utf8_lossy(&found).into_owned()
}

fn post(path: &str, length: usize) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Caller: ana/native\r\nContent-Length: {length}\r\n\r\n")
}

#[tokio::test]
async fn headers_have_a_limit() {
    let served = Served::new(64, 5).await;
    let with =
        |bytes: usize| format!("GET /public HTTP/1.1\r\nConnection: close\r\nX-Long: {}\r\n\r\n", "x".repeat(bytes));
    assert!(served.asks(&with(16_000)).await.starts_with("HTTP/1.1 200"));
    assert!(served.asks(&with(17_000)).await.starts_with("HTTP/1.1 431"));
    let many = format!("GET /public HTTP/1.1\r\n{}\r\n", "X-A: b\r\n".repeat(200));
    assert!(served.asks(&many).await.starts_with("HTTP/1.1 431"));
    served.answers_others().await;
}

#[tokio::test]
async fn headers_that_do_not_end_are_not_waited_for() {
    let served = Served::new(64, 1).await;
    let mut stream = served.connect().await;
    stream.write_all(b"GET /public HTTP/1.1\r\nX-Slow: ").await.unwrap();
    let started = Instant::now();
    rest(&mut stream).await;
    assert!((1..8).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    served.answers_others().await;
}

/// Before the first request, and after one.
#[tokio::test]
async fn a_connection_that_does_nothing_ends() {
    let served = Served::new(64, 1).await;
    let (mut silent, mut kept) = (served.connect().await, served.connect().await);
    kept.write_all(b"GET /public HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let started = Instant::now();
    assert_eq!(rest(&mut silent).await, "");
    assert!(rest(&mut kept).await.ends_with("public"));
    assert!((1..8).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_body_that_stops_is_not_waited_for() {
    let served = Served::new(64, 1).await;
    let mut stream = served.connect().await;
    stream.write_all(post("/large", 100).as_bytes()).await.unwrap();
    stream.write_all(b"only this").await.unwrap();
    served.answers_others().await;
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too-slow"), "{answer}");
    assert_eq!(served.service.done(), 0);
}

/// A byte now and then is progress, and no least rate.
#[tokio::test]
async fn a_body_that_drips_is_not_waited_for() {
    let served = Served::new(64, 1).await;
    let (mut reader, mut writer) = served.connect().await.into_split();
    writer.write_all(post("/large", 1000).as_bytes()).await.unwrap();
    let started = Instant::now();
    let drips = tokio::spawn(async move {
        while writer.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut status = [0; 12];
    reader.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 408");
    assert!((1..8).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    drips.abort();
    assert_eq!(served.service.done(), 0);
}

/// The answer to a body that is too long is read, though the client still sends.
#[tokio::test]
async fn who_sends_too_much_reads_why() {
    let served = Served::new(64, 5).await;
    let stream = served.connect().await;
    let (mut reader, mut writer) = stream.into_split();
    let head = post("/large", 32 << 20);
    let sends = tokio::spawn(async move {
        writer.write_all(head.as_bytes()).await.unwrap();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..32 {
            writer.write_all(&chunk).await.unwrap();
        }
        writer
    });
    let _writer = sends.await.expect("nothing breaks while it sends");
    let mut answer = String::new();
    reader.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("too-large"), "{answer}");
}

#[tokio::test]
async fn who_does_not_read_is_given_up() {
    let served = Served::new(64, 1).await;
    let mut stream = served.connect().await;
    stream.write_all(b"GET /endless HTTP/1.1\r\nHost: localhost\r\nX-Caller: ana/native\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    served.answers_others().await;
    // What was in the buffers is there, and then it ends.
    let mut found = vec![0; 1 << 20];
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(5) {
        if matches!(stream.read(&mut found).await, Ok(0) | Err(_)) {
            return;
        }
    }
    panic!("an endless answer goes on");
}

#[tokio::test]
async fn many_connections_do_not_stop_others() {
    let served = Served::new(50, 30).await;
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(served.connect().await);
    }
    for stream in idle.iter_mut().step_by(2) {
        // Some are gone already.
        drop(stream.write_all(b"GET /pub").await);
    }
    for _ in 0..20 {
        served.answers_others().await;
    }
}

#[tokio::test]
async fn many_slow_bodies_do_not_stop_others() {
    let served = Served::new(50, 30).await;
    let mut slow = Vec::new();
    for _ in 0..60 {
        let mut stream = served.connect().await;
        drop(stream.write_all(post("/large", 1000).as_bytes()).await);
        slow.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..20 {
        served.answers_others().await;
    }
}

#[tokio::test]
async fn what_is_under_way_ends_in_order() {
    let mut served = Served::new(64, 30).await;
    let mut waits = served.connect().await;
    waits.write_all(b"GET /wait HTTP/1.1\r\nHost: localhost\r\nX-Caller: ana/native\r\n\r\n").await.unwrap();
    let mut idle = served.connect().await;
    served.answers_others().await;
    drop(served.end.take());
    // The idle one ends, and nobody new is let in.
    assert_eq!(rest(&mut idle).await, "");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(TcpStream::connect(served.address).await.is_err());
    assert!(!served.task.is_finished());
    served.service.handlers.gate.add_permits(1);
    let answer = rest(&mut waits).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("waited"), "{answer}");
    tokio::time::timeout(Duration::from_secs(5), served.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_does_not_end_is_cut_off() {
    let mut served = Served::new(64, 30).await;
    let mut waits = served.connect().await;
    waits.write_all(b"GET /wait HTTP/1.1\r\nHost: localhost\r\nX-Caller: ana/native\r\n\r\n").await.unwrap();
    served.answers_others().await;
    let started = Instant::now();
    drop(served.end.take());
    served.task.await.unwrap();
    assert!((3..10).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    assert_eq!(rest(&mut waits).await, "");
    // It is in the audit log nevertheless.
    served.service.web.end().await;
    let count = platform::db::Statement::new("SELECT COUNT(*) AS calls FROM audit WHERE status = 499");
    let row = served.service.db.find(count, Vec::new()).await.unwrap().unwrap();
    assert_eq!(row.number("calls").unwrap(), 1);
}
