//! What was measured on.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What the processor has spent on this thread: what it gave to others meanwhile is not counted, so that a busy machine
/// does less harm.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec` where it is told to.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(answer, 0);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).expect("below a billion"))
}

#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    wall_time()
}

/// Since the first call.
pub fn wall_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Nanoseconds of one cycle of the core, as its clock runs now: by multiplications that wait for one another, each of
/// which takes three cycles on every x86-64 processor of the last fifteen years.
pub fn cycle() -> Option<f64> {
    const CHAIN: u32 = 16;
    const REPEATED: u32 = 1000;
    let (start, mut number) = (Instant::now(), 3_u64);
    for _ in 0..REPEATED {
        // SAFETY: sixteen multiplications of one register, which touch nothing else but the flags.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            std::arch::asm!(".rept 16", "imul {0}, {0}", ".endr", inout(reg) number, options(nomem, nostack));
        }
    }
    black_box(&mut number);
    let took = start.elapsed().as_nanos() as f64;
    cfg!(target_arch = "x86_64").then(|| took / f64::from(CHAIN * REPEATED * 3))
}

/// Lines of a name and a value, with a tab between.
pub fn describe() {
    let say = |name: &str, value: &str| println!("#\t{name}\t{value}");
    say("processor", &processor());
    say("cores", &std::thread::available_parallelism().map_or(0, std::num::NonZero::get).to_string());
    say("instruction sets", &instruction_sets().join(" "));
    #[cfg(target_arch = "x86_64")]
    say("time stamp counter", &format!("{:.2} GHz", tick_rate()));
    let cycle = (0..1000).filter_map(|_| cycle()).min_by(f64::total_cmp);
    if let Some(cycle) = cycle {
        say("core clock at most", &format!("{:.2} GHz", 1.0 / cycle));
    }
}

/// As the operating system calls it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let Some(name) = value("model name") else { return std::env::consts::ARCH.to_owned() };
    match (value("vendor_id"), value("cpu family"), value("model")) {
        (Some(vendor), Some(family), Some(model)) => format!("{name} ({vendor}, family {family}, model {model})"),
        _ => name,
    }
}

#[cfg(target_arch = "x86_64")]
fn instruction_sets() -> Vec<&'static str> {
    macro_rules! found {
        ($($feature:tt)*) => {
            [$(($feature, is_x86_feature_detected!($feature))),*]
        };
    }
    let sets = found!("bmi1" "bmi2" "avx" "avx2" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512ifma" "sha" "gfni");
    sets.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn instruction_sets() -> Vec<&'static str> {
    vec![std::env::consts::ARCH]
}

/// Of the counter that `rdtsc` reads, which counts at one rate whatever the core's clock is: it gives no cycles.
#[cfg(target_arch = "x86_64")]
fn tick_rate() -> f64 {
    // SAFETY: every x86-64 processor has the instruction.
    let ticks = || unsafe { std::arch::x86_64::_rdtsc() };
    let (start, before) = (Instant::now(), ticks());
    while start.elapsed().as_millis() < 50 {}
    (ticks() - before) as f64 / start.elapsed().as_nanos() as f64
}
