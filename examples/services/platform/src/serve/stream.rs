//! A connection that gives up on whoever does not read, and ends without cutting its answer.

use super::connections::Activity;
use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long a client has to read its answer after the service has nothing more to say. Were the socket closed while the
/// client still sends, the machine would reset the connection, and an answer such as 413 might never be read.
const LINGER: Duration = Duration::from_secs(2);
/// The most that is thrown away then.
const LINGER_BYTES: usize = 128 << 20;

#[derive(Debug)]
pub(super) struct Patient {
    stream: TcpStream,
    patience: Duration,
    activity: Activity,
    /// Runs while the client takes no bytes.
    stalled: Option<Pin<Box<Sleep>>>,
    lingers: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Patient {
    pub(super) fn new(stream: TcpStream, patience: Duration, activity: Activity) -> Self {
        Self { stream, patience, activity, stalled: None, lingers: None }
    }

    /// Ends the wait, or goes on with it.
    fn paced<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            self.activity.note();
            return polled;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if read.is_ready() {
            this.activity.note();
        }
        read
    }
}

impl AsyncWrite for Patient {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.paced(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.paced(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    /// Says that nothing more comes, then reads to the client's end.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.lingers.is_none() {
            std::task::ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            this.lingers = Some((Box::pin(sleep(LINGER)), LINGER_BYTES));
        }
        let Some((lingers, left)) = &mut this.lingers else { return Poll::Ready(Ok(())) };
        if lingers.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut scratch = [0; 16 << 10];
        loop {
            let mut buffer = ReadBuf::new(&mut scratch);
            match Pin::new(&mut this.stream).poll_read(context, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(_)) => return Poll::Ready(Ok(())),
                Poll::Ready(Ok(())) => match (buffer.filled().len(), &mut *left) {
                    (0, _) => return Poll::Ready(Ok(())),
                    (read, left) if read >= *left => return Poll::Ready(Ok(())),
                    (read, left) => *left -= read,
                },
            }
        }
    }
}
