//! A row of the table, and how it is measured: its contenders in turn, in many short rounds, so that whatever else the
//! machine does hits all alike. What is told of each is the median of its rounds.

use crate::machine;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Who a contender is to its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// This library, or a path of it.
    Ours,
    /// Who it is compared with: the fastest of them is the row's best peer.
    Peer,
    /// Measured with the row and no peer, for a reason that its name tells.
    Beside,
}

/// What is done, how often one call does it, and who does it.
pub struct Row<'a> {
    name: String,
    unit: &'static str,
    items: u64,
    calls: u32,
    clock: Clock,
    contenders: Vec<Contender<'a>>,
}

/// Whose time is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// This thread's, on its processor.
    Thread,
    /// Everybody's.
    Wall,
}

impl Clock {
    fn now(self) -> Duration {
        match self {
            Self::Thread => machine::thread_time(),
            Self::Wall => machine::wall_time(),
        }
    }
}

struct Contender<'a> {
    role: Role,
    name: String,
    /// So many calls, and how long they took.
    run: Box<dyn FnMut(u32) -> Duration + 'a>,
}

impl<'a> Row<'a> {
    /// One operation, told by the call, on this thread.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: "call", items: 1, calls: 1, clock: Clock::Thread, contenders: Vec::new() }
    }

    /// The calls of the contenders that follow work on several threads: the time that passes is told.
    pub fn on_threads(mut self) -> Self {
        self.clock = Clock::Wall;
        self
    }

    /// Each call does so many, and the time of one of them is told.
    pub fn each(mut self, unit: &'static str, items: usize) -> Self {
        (self.unit, self.items) = (unit, items as u64);
        self
    }

    /// A round is at least so many calls, for work that takes sometimes longer than at others.
    pub fn rounds_of(mut self, calls: u32) -> Self {
        self.calls = calls;
        self
    }

    pub fn ours<T>(self, name: impl Into<String>, call: impl FnMut() -> T + 'a) -> Self {
        self.with(Role::Ours, name, call)
    }

    pub fn peer<T>(self, name: impl Into<String>, call: impl FnMut() -> T + 'a) -> Self {
        self.with(Role::Peer, name, call)
    }

    pub fn beside<T>(self, name: impl Into<String>, call: impl FnMut() -> T + 'a) -> Self {
        self.with(Role::Beside, name, call)
    }

    pub fn with<T>(self, role: Role, name: impl Into<String>, mut call: impl FnMut() -> T + 'a) -> Self {
        let clock = self.clock;
        self.contender(role, name.into(), move |calls| {
            let start = clock.now();
            for _ in 0..calls {
                black_box(call());
            }
            clock.now().saturating_sub(start)
        })
    }

    /// Each call is given what is made for it, which takes no time, as little as freeing what the call gives.
    pub fn given<I, T>(
        self,
        role: Role,
        name: impl Into<String>,
        mut make: impl FnMut() -> I + 'a,
        mut call: impl FnMut(I) -> T + 'a,
    ) -> Self {
        let clock = self.clock;
        self.contender(role, name.into(), move |calls| {
            let timed = |_| {
                let given = make();
                let start = clock.now();
                let result = black_box(call(given));
                let took = clock.now().saturating_sub(start);
                drop(result);
                took
            };
            (0..calls).map(timed).sum()
        })
    }

    fn contender(mut self, role: Role, name: String, run: impl FnMut(u32) -> Duration + 'a) -> Self {
        self.contenders.push(Contender { role, name, run: Box::new(run) });
        self
    }
}

/// How long a row may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often the whole table is gone through: what disturbs the machine for some seconds is in one pass of a row,
    /// and the median is over all.
    passes: usize,
    /// What a contender does in one round, about.
    slot: Duration,
    /// What all rounds of a row take in one pass, about.
    row: Duration,
    least_rounds: usize,
    most_rounds: usize,
    /// How large the largest inputs are.
    large: usize,
}

impl Effort {
    /// For the page.
    pub const FULL: Self = Self {
        passes: 5,
        slot: Duration::from_millis(2),
        row: Duration::from_millis(1600),
        least_rounds: 3,
        most_rounds: 101,
        large: 100_000,
    };
    /// All rows within two minutes.
    pub const QUICK: Self = Self {
        passes: 2,
        slot: Duration::from_millis(1),
        row: Duration::from_millis(450),
        least_rounds: 2,
        most_rounds: 51,
        large: 10_000,
    };
    /// Each contender once: that it runs and answers right.
    pub const ONCE: Self =
        Self { passes: 1, slot: Duration::ZERO, row: Duration::ZERO, least_rounds: 1, most_rounds: 1, large: 1_000 };
}

/// Measures rows, and prints them when all passes are done.
pub struct Table {
    effort: Effort,
    only: Option<String>,
    group: &'static str,
    rows: Vec<Measured>,
}

/// A row of all passes so far.
struct Measured {
    group: &'static str,
    name: String,
    unit: &'static str,
    items: u64,
    contenders: Vec<(Role, String, Vec<f64>)>,
    /// Nanoseconds of a cycle.
    cycles: Vec<f64>,
}

impl Table {
    /// With `only`, the rows whose group or name holds it.
    pub fn new(effort: Effort, only: Option<String>) -> Self {
        Self { effort, only, group: "", rows: Vec::new() }
    }

    /// As often as this the rows are to be measured.
    pub fn passes(&self) -> usize {
        self.effort.passes
    }

    /// The rows that follow belong together.
    pub fn group(&mut self, group: &'static str) {
        self.group = group;
    }

    /// How many entries or contents a large input has.
    pub fn large(&self) -> usize {
        self.effort.large
    }

    /// The same, as it is written.
    pub fn large_name(&self) -> String {
        format!("{},{:03}", self.effort.large / 1000, self.effort.large % 1000)
    }

    /// Whether a row of this name would be measured: what it needs may take long to make.
    pub fn wants(&self, row: &str) -> bool {
        self.only.as_ref().is_none_or(|only| self.group.contains(only.as_str()) || row.contains(only.as_str()))
    }

    /// Measures a row.
    pub fn row(&mut self, row: Row<'_>) {
        if !self.wants(&row.name) {
            return;
        }
        eprintln!("{}: {}", self.group, row.name);
        let Row { name, unit, items, calls, clock, mut contenders } = row;
        let (rounds, cycles) = measure(&mut contenders, clock, calls, &self.effort);
        let group = self.group;
        let found = self.rows.iter().position(|before| before.group == group && before.name == name);
        let place = found.unwrap_or_else(|| {
            let contenders = contenders.into_iter().map(|it| (it.role, it.name, Vec::new())).collect();
            self.rows.push(Measured { group, name, unit, items, contenders, cycles: Vec::new() });
            self.rows.len() - 1
        });
        let measured = &mut self.rows[place];
        for ((_, _, all), rounds) in measured.contenders.iter_mut().zip(rounds) {
            all.extend(rounds);
        }
        measured.cycles.extend(cycles);
    }

    /// Prints a line for each contender: group, row, unit, role, name, nanoseconds (median and quartiles), cycles of
    /// the core (or nothing), rounds; with tabs between.
    pub fn print(self) {
        for Measured { group, name, unit, items, contenders, cycles } in self.rows {
            let cycle = (!cycles.is_empty()).then(|| quartiles(cycles)[1] * items as f64);
            for (role, who, rounds) in contenders {
                let count = rounds.len();
                let [low, middle, high] = quartiles(rounds);
                let cycles = cycle.map_or_else(String::new, |cycle| format!("{:.1}", middle / cycle));
                let [low, middle, high] = [low, middle, high].map(|per_call| per_call / items as f64);
                let role = format!("{role:?}").to_lowercase();
                println!("{group}\t{name}\t{unit}\t{role}\t{who}\t{middle:.2}\t{low:.2}\t{high:.2}\t{cycles}\t{count}");
            }
        }
    }
}

/// The nanoseconds of a call in each round of each contender, and those of a cycle meanwhile.
fn measure(
    contenders: &mut [Contender<'_>],
    clock: Clock,
    least_calls: u32,
    effort: &Effort,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let calls: Vec<u32> = contenders.iter_mut().map(|c| calibrate(c, effort.slot).max(least_calls)).collect();
    let mut rounds: Vec<Vec<f64>> = contenders.iter().map(|_| Vec::new()).collect();
    // What takes sometimes longer than at others needs more rounds.
    let row = effort.row * if least_calls > 1 { 3 } else { 1 };
    let (start, mut cycles) = (Instant::now(), Vec::new());
    for done in 0..effort.most_rounds {
        if done >= effort.least_rounds && start.elapsed() >= row {
            break;
        }
        for ((contender, &calls), rounds) in contenders.iter_mut().zip(&calls).zip(&mut rounds) {
            rounds.push(time(contender, calls));
            // Several cores have no cycles in common.
            cycles.extend((clock == Clock::Thread).then(machine::cycle).flatten());
        }
    }
    (rounds, cycles)
}

/// So many calls as fit a slot, after they have been warmed up.
fn calibrate(contender: &mut Contender<'_>, slot: Duration) -> u32 {
    let slot = slot.as_nanos() as f64;
    let mut calls = 1;
    loop {
        let took = time(contender, calls).max(1.0);
        if took * f64::from(calls) * 4.0 >= slot || calls >= 1 << 24 {
            return ((slot / took) as u32).max(1);
        }
        calls *= 2;
    }
}

/// The nanoseconds of one of so many calls.
fn time(contender: &mut Contender<'_>, calls: u32) -> f64 {
    (contender.run)(calls).as_nanos() as f64 / f64::from(calls)
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}
