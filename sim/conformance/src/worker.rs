//! Worker processes: a child that answers one line of standard output for each line of standard input.
//!
//! Starting an interpreter or a process for each file takes longer than comparing a small model, so that
//! one child handles many files. A child that crashes or exceeds its time limit is replaced, which affects
//! only the request that it was handling.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Result of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The line that the child wrote.
    Line(String),
    /// The child ended instead of answering.
    Ended {
        /// Its standard error since it started.
        stderr: String,
    },
    /// The child was killed after the time limit.
    TimedOut,
}

/// A child process that is started at the first request and after each crash.
pub(crate) struct Worker {
    command: Command,
    running: Option<Running>,
}

/// A running child with its pipes.
struct Running {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    answered: usize,
}

impl Worker {
    /// A worker whose child runs `command`.
    pub(crate) fn new(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command, running: None }
    }

    /// Number of requests that the running child has answered.
    pub(crate) fn answered(&self) -> usize {
        self.running.as_ref().map_or(0, |running| running.answered)
    }

    /// Sends one line and waits for the answer.
    pub(crate) fn ask(&mut self, request: &str, limit: Duration) -> io::Result<Answer> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&mut self.command)?,
        };
        // a child that has ended closes its standard output as well, which is reported below
        let _ = writeln!(running.stdin, "{request}").and_then(|()| running.stdin.flush());
        match running.lines.recv_timeout(limit) {
            Ok(line) => {
                running.answered += 1;
                self.running = Some(running);
                Ok(Answer::Line(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(Answer::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Ok(Answer::Ended { stderr: running.end() }),
        }
    }
}

impl Running {
    fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the child process has no pipes"));
        };
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                // ends when the pipe is closed, and when nobody reads any more
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, stdin, lines, stderr: Some(read_all(stderr)), answered: 0 })
    }

    /// Waits for a child whose standard output is closed; returns its standard error.
    fn end(mut self) -> String {
        // ignored: killing a process that has ended is an error
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |s| s.to_string());
        let text = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if text.trim().is_empty() { status } else { text }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // ignored: killing a process that has ended is an error
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a pipe to its end on a separate thread, so that the child never blocks on a full pipe.
pub(crate) fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // ignored: a broken pipe also shows in the exit status
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{Answer, Worker};
    use std::process::Command;
    use std::time::Duration;

    fn worker(script: &str) -> Worker {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Worker::new(command)
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn one_child_answers_many_requests() {
        let mut worker = worker("while read x; do echo \"got $x\"; done");
        for k in 0..3 {
            let answer = worker.ask(&k.to_string(), LONG).unwrap();
            assert_eq!(answer, Answer::Line(format!("got {k}")));
        }
        assert_eq!(worker.answered(), 3);
    }

    #[test]
    fn crash_affects_one_request() {
        let mut worker =
            worker("while read x; do [ $x = bad ] && echo panicked >&2 && exit 3; echo $x; done");
        let mut ask = |x: &str| worker.ask(x, LONG).unwrap();
        assert_eq!(ask("a"), Answer::Line("a".into()));
        assert_eq!(ask("bad"), Answer::Ended { stderr: "panicked\n".into() });
        assert_eq!(ask("b"), Answer::Line("b".into()));
    }

    #[test]
    fn hanging_child_is_killed_and_replaced() {
        let mut worker = worker("while read x; do [ $x = bad ] && sleep 20; echo $x; done");
        assert_eq!(worker.ask("bad", Duration::from_millis(100)).unwrap(), Answer::TimedOut);
        assert_eq!(worker.ask("b", LONG).unwrap(), Answer::Line("b".into()));
    }
}
