//! What Keccak takes at each level, in cycles of the core: `cargo bench -p dualseal-kernels --bench keccak`.

#[cfg(target_arch = "x86_64")]
fn main() {
    x86_64::main();
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    eprintln!("cycles are read on x86-64 alone");
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    #![allow(unsafe_code, reason = "the counter of cycles is read")]

    use dualseal_kernels::Level;
    use dualseal_kernels::keccak::{
        SHA3_256_RATE, SHA3_512_RATE, SHAKE256_RATE, Sponge, Suffix, WORDS, absorb_both, digest_many, f1600, f1600_x2,
        f1600_x4, f1600_x8,
    };
    use sha3::Digest;
    use std::hint::black_box;

    fn counter() -> u64 {
        // SAFETY: every x86-64 has it.
        unsafe { core::arch::x86_64::_rdtsc() }
    }

    /// The least of many runs, in cycles of the core, whose clock is not the counter's: a chain of 8,000
    /// multiplications takes three of the core's each.
    struct Clock {
        cycles: f64,
    }

    impl Clock {
        fn new() -> Self {
            let chain = || {
                // SAFETY: it multiplies registers.
                unsafe {
                    core::arch::asm!(
                        "2:", "imul {p}, {p}", "imul {p}, {p}", "imul {p}, {p}", "imul {p}, {p}", "dec {n}", "jnz 2b",
                        p = inout(reg) 3_u64 => _,
                        n = inout(reg) 2000_u64 => _,
                        options(nomem, nostack)
                    );
                }
            };
            Self { cycles: 24_000.0 / least(chain, 300) }
        }

        #[allow(clippy::cast_precision_loss, reason = "a measurement")]
        fn print(&self, name: &str, per: usize, run: impl FnMut()) {
            println!("{name:46} {:9.0}", least(run, 2000) * self.cycles / per as f64);
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "a measurement")]
    fn least(mut run: impl FnMut(), times: usize) -> f64 {
        (0..times)
            .map(|_| {
                let before = counter();
                run();
                counter() - before
            })
            .min()
            .unwrap_or_default() as f64
    }

    pub(super) fn main() {
        let clock = Clock::new();
        let long = vec![7; 64 * SHA3_256_RATE * SHA3_512_RATE / 8];
        println!("a permutation");
        let blocks = long.len() / SHA3_256_RATE;
        clock.print("  sha3 crate, a long message", blocks, || {
            black_box(sha3::Sha3_256::digest(&long));
        });
        for level in Level::all() {
            let mut one = [0; WORDS];
            let (mut two, mut four, mut eight) = ([[0; 2]; WORDS], [[0; 4]; WORDS], [[0; 8]; WORDS]);
            clock.print(&format!("  {level:?}, 1 state"), 20, || (0..20).for_each(|_| f1600(level, &mut one)));
            clock.print(&format!("  {level:?}, 2 states"), 20, || (0..20).for_each(|_| f1600_x2(level, &mut two)));
            clock.print(&format!("  {level:?}, 4 states"), 20, || (0..20).for_each(|_| f1600_x4(level, &mut four)));
            clock.print(&format!("  {level:?}, 8 states"), 20, || (0..20).for_each(|_| f1600_x8(level, &mut eight)));
        }

        println!("a permutation of SHA3-256 over a long message");
        for level in Level::all() {
            clock.print(&format!("  {level:?}"), blocks, || {
                let mut digest = [0; 32];
                let mut sponge = Sponge::<SHA3_256_RATE>::new(level);
                sponge.absorb(&long);
                sponge.finish(Suffix::Sha3, &mut digest);
                black_box(digest);
            });
        }

        println!("a block of 72 bytes through SHA3-512 and SHAKE256 both");
        for level in Level::all() {
            let blocks = long.len() / SHA3_512_RATE;
            let mut low = Sponge::<SHA3_512_RATE>::new(level);
            let mut high = Sponge::<SHAKE256_RATE>::new(level);
            clock.print(&format!("  {level:?}, one after the other"), blocks, || {
                low.absorb(&long);
                high.absorb(&long);
            });
            clock.print(&format!("  {level:?}, together"), blocks, || {
                absorb_both((&mut low, &long), (&mut high, &long));
            });
        }

        for length in [64, 200, 1000] {
            println!("a SHA3-256 of {length} bytes, of 512 such");
            let message = &long[..length];
            clock.print("  sha3 crate", 512, || {
                for _ in 0..512 {
                    black_box(sha3::Sha3_256::digest(message));
                }
            });
            for level in Level::all() {
                clock.print(&format!("  {level:?}, one after the other"), 512, || {
                    let mut sponge = Sponge::<SHA3_256_RATE>::new(level);
                    for _ in 0..512 {
                        let mut digest = [0; 32];
                        sponge.absorb(message);
                        sponge.finish(Suffix::Sha3, &mut digest);
                        black_box(digest);
                    }
                });
                clock.print(&format!("  {level:?}, many"), 512, || {
                    let messages = (0..512).map(|_| core::iter::once(message));
                    digest_many::<SHA3_256_RATE, 32, _>(level, Suffix::Sha3, messages, |_, digest| {
                        black_box(digest);
                    });
                });
            }
        }
    }
}
