//! Keccak at every level that this processor has, beside the `sha3` and `shake` crates.

use dualseal_kernels::Level;
use dualseal_kernels::keccak::{
    Interleaved, Lanes, SHA3_256_RATE, SHA3_512_RATE, SHAKE128_RATE, SHAKE256_RATE, Sponge, Suffix, WORDS, absorb_both,
    digest_many, f1600, f1600_x2, f1600_x4, f1600_x8,
};
use sha3::Digest;
use shake::{ExtendableOutput, Update, XofReader};
use std::collections::BTreeSet;

/// The state after the permutation of zeros, and after two (KeccakTools, `KeccakF-1600-IntermediateValues.txt`): the
/// first and the last word of each.
const OF_ZEROS: [(u64, u64); 2] =
    [(0xf125_8f79_40e1_dde7, 0xeaf1_ff7b_5cec_a249), (0x2d5c_954d_f96e_cb3c, 0x20d0_6cd2_6a8f_bf5c)];

/// Bytes that differ from seed to seed, xorshift64*.
struct Bytes(u64);

impl Bytes {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.word() >> 32).unwrap() % bound
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.word().to_le_bytes()[7]).collect()
    }
}

fn sha3_256(message: &[u8]) -> [u8; 32] {
    sha3::Sha3_256::digest(message).into()
}

fn sha3_512(message: &[u8]) -> [u8; 64] {
    sha3::Sha3_512::digest(message).into()
}

fn shake128(message: &[u8], length: usize) -> Vec<u8> {
    let mut output = vec![0; length];
    shake::Shake128::default().chain(message).finalize_xof().read(&mut output);
    output
}

fn shake256(message: &[u8], length: usize) -> Vec<u8> {
    let mut output = vec![0; length];
    shake::Shake256::default().chain(message).finalize_xof().read(&mut output);
    output
}

#[test]
fn every_level_of_this_processor_is_tested() {
    let names: Vec<_> = Level::all().map(Level::name).collect();
    let mut expected = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        expected.extend(avx2.then_some("avx2"));
        expected.extend((avx2 && avx512).then_some("avx512"));
    }
    assert_eq!(names, expected);
}

#[test]
fn permutation_of_zeros_is_the_known_one() {
    for level in Level::all() {
        let mut one = [0; WORDS];
        let (mut two, mut four, mut eight) = ([[0; 2]; WORDS], [[0; 4]; WORDS], [[0; 8]; WORDS]);
        for (first, last) in OF_ZEROS {
            f1600(level, &mut one);
            f1600_x2(level, &mut two);
            f1600_x4(level, &mut four);
            f1600_x8(level, &mut eight);
            assert_eq!((one[0], one[24]), (first, last), "{level:?}");
            assert_eq!((two[0], two[24]), ([first; 2], [last; 2]), "{level:?}");
            assert_eq!((four[0], four[24]), ([first; 4], [last; 4]), "{level:?}");
            assert_eq!((eight[0], eight[24]), ([first; 8], [last; 8]), "{level:?}");
        }
    }
}

/// Every lane, of other words than its neighbours, becomes what one state becomes by the portable code.
fn each_lane_is_by_itself<const N: usize>(level: Level, bytes: &mut Bytes)
where
    [u64; N]: Interleaved,
{
    let mut states = [[0; N]; WORDS];
    states.iter_mut().flatten().for_each(|word| *word = bytes.word());
    let mut apart: Vec<[u64; WORDS]> = (0..N).map(|lane| states.map(|words| words[lane])).collect();
    for _ in 0..3 {
        Interleaved::f1600(level, &mut states);
        for state in &mut apart {
            f1600(Level::PORTABLE, state);
        }
    }
    for (lane, state) in apart.iter().enumerate() {
        assert_eq!(states.map(|words| words[lane]), *state, "{level:?}, lane {lane} of {N}");
    }
}

#[test]
fn lanes_are_permuted_each_by_itself() {
    let mut bytes = Bytes(1);
    for level in Level::all() {
        for _ in 0..200 {
            each_lane_is_by_itself::<2>(level, &mut bytes);
            each_lane_is_by_itself::<4>(level, &mut bytes);
            each_lane_is_by_itself::<8>(level, &mut bytes);
        }
    }
}

/// The digest through one sponge that is fed in two parts and used again.
fn digest<const RATE: usize>(sponge: &mut Sponge<RATE>, suffix: Suffix, message: &[u8], cut: usize, out: &mut [u8]) {
    let (first, second) = message.split_at(cut.min(message.len()));
    sponge.absorb(first);
    sponge.absorb(second);
    sponge.finish(suffix, out);
}

fn agrees(level: Level, message: &[u8], cut: usize) {
    let (mut short, mut long) = ([0; 32], [0; 64]);
    digest(&mut Sponge::<SHA3_256_RATE>::new(level), Suffix::Sha3, message, cut, &mut short);
    digest(&mut Sponge::<SHA3_512_RATE>::new(level), Suffix::Sha3, message, cut, &mut long);
    assert_eq!(short, sha3_256(message), "{level:?}, {} bytes", message.len());
    assert_eq!(long, sha3_512(message), "{level:?}, {} bytes", message.len());

    let mut output = vec![0; 500];
    let mut sponge = Sponge::<SHAKE256_RATE>::new(level);
    sponge.absorb(message);
    sponge.squeeze(Suffix::Shake).read(&mut output);
    assert_eq!(output, shake256(message, 500), "{level:?}, {} bytes", message.len());

    let mut sponge = Sponge::<SHAKE128_RATE>::new(level);
    sponge.absorb(message);
    let mut reader = sponge.squeeze(Suffix::Shake);
    let (first, second) = output.split_at_mut(cut.min(500));
    reader.read(first);
    reader.read(second);
    assert_eq!(output, shake128(message, 500), "{level:?}, {} bytes", message.len());
}

#[test]
fn every_length_and_longer_ones_agree() {
    let mut bytes = Bytes(2);
    for level in Level::all() {
        for length in 0..=600 {
            let message = bytes.take(length);
            agrees(level, &message, bytes.below(length + 1));
        }
        for _ in 0..60 {
            let length = 600 + bytes.below(20_000);
            let message = bytes.take(length);
            agrees(level, &message, bytes.below(length));
        }
    }
}

#[test]
fn every_cut_of_a_message_agrees() {
    let message = Bytes(3).take(320);
    for level in Level::all() {
        for cut in 0..=message.len() {
            agrees(level, &message, cut);
        }
        let mut sponge = Sponge::<SHA3_512_RATE>::new(level);
        for byte in &message {
            sponge.absorb(&[*byte]);
        }
        let mut digest = [0; 64];
        sponge.finish(Suffix::Sha3, &mut digest);
        assert_eq!(digest, sha3_512(&message), "{level:?}, byte by byte");
    }
}

#[test]
fn a_used_sponge_is_as_new() {
    for level in Level::all() {
        let mut sponge = Sponge::<SHA3_256_RATE>::new(level);
        let mut digest = [0; 32];
        for message in [&b"abc"[..], b"", &[9; 300]] {
            sponge.absorb(message);
            sponge.finish(Suffix::Sha3, &mut digest);
            assert_eq!(digest, sha3_256(message), "{level:?}");
        }
        sponge.absorb(b"abc");
        let mut output = [0; 200];
        sponge.squeeze(Suffix::Shake).read(&mut output);
        assert_eq!(output[..], shake256(b"abc", 200), "{level:?}");
        sponge.absorb(b"to be forgotten");
        sponge.reset();
        sponge.finish(Suffix::Sha3, &mut digest);
        assert_eq!(digest, sha3_256(b""), "{level:?}");
    }
}

/// Each message in a lane of its own, all in parts of 50 bytes; one that has ended stands still.
fn lanes_agree<const N: usize, const RATE: usize>(
    level: Level,
    suffix: Suffix,
    messages: &[Vec<u8>],
    expected: impl Fn(&[u8], usize) -> Vec<u8>,
) where
    [u64; N]: Interleaved,
{
    let mut lanes = Lanes::<N, RATE>::new(level);
    let mut left: Vec<_> = messages.iter().map(|message| message.chunks(50)).collect();
    let mut parts: Vec<&[u8]> = vec![&[]; N];
    let mut open: Vec<usize> = (0..N).collect();
    while !open.is_empty() {
        let mut ended = Vec::new();
        for &lane in &open {
            while !lanes.fill(lane, &mut parts[lane]) {
                assert!(parts[lane].is_empty(), "a part is left of a block that is not full");
                if let Some(part) = left[lane].next() {
                    parts[lane] = part;
                } else {
                    lanes.pad(lane, suffix);
                    ended.push(lane);
                    break;
                }
            }
        }
        lanes.permute();
        for &lane in &ended {
            let mut output = vec![0; RATE];
            lanes.read(lane, &mut output);
            let (expected, length) = (expected(&messages[lane], RATE), messages[lane].len());
            assert_eq!(output[..expected.len()], expected, "{level:?}, lane {lane} of {N}, {length} bytes");
        }
        open.retain(|lane| !ended.contains(lane));
    }
}

fn lanes_of_every_rate_agree<const N: usize>(level: Level, bytes: &mut Bytes, first: usize)
where
    [u64; N]: Interleaved,
{
    // Equal lengths, and mixed ones.
    for spread in [1, 300] {
        let lengths: Vec<_> = (0..N).map(|_| first + bytes.below(spread)).collect();
        let messages: Vec<_> = lengths.into_iter().map(|length| bytes.take(length)).collect();
        lanes_agree::<N, SHA3_256_RATE>(level, Suffix::Sha3, &messages, |message, _| sha3_256(message).to_vec());
        lanes_agree::<N, SHA3_512_RATE>(level, Suffix::Sha3, &messages, |message, _| sha3_512(message).to_vec());
        lanes_agree::<N, SHAKE256_RATE>(level, Suffix::Shake, &messages, shake256);
        lanes_agree::<N, SHAKE128_RATE>(level, Suffix::Shake, &messages, shake128);
    }
}

#[test]
fn lanes_agree_at_every_length() {
    let mut bytes = Bytes(4);
    for level in Level::all() {
        for length in 0..=600 {
            lanes_of_every_rate_agree::<2>(level, &mut bytes, length);
            lanes_of_every_rate_agree::<4>(level, &mut bytes, length);
            lanes_of_every_rate_agree::<8>(level, &mut bytes, length);
        }
    }
}

#[test]
fn lanes_squeeze_block_after_block() {
    for level in Level::all() {
        let mut lanes = Lanes::<8, SHAKE128_RATE>::new(level);
        for (lane, byte) in (0..8).zip(1..) {
            assert!(!lanes.fill(lane, &mut &[byte; 34][..]));
            lanes.pad(lane, Suffix::Shake);
        }
        let mut outputs = vec![Vec::new(); 8];
        for _ in 0..5 {
            lanes.permute();
            for (lane, output) in outputs.iter_mut().enumerate() {
                let mut block = [0; SHAKE128_RATE];
                lanes.read(lane, &mut block);
                output.extend(block);
            }
        }
        for (output, byte) in outputs.iter().zip(1..) {
            assert_eq!(*output, shake128(&[byte; 34], 5 * SHAKE128_RATE), "{level:?}");
        }
    }
}

/// Random messages, each in random parts, some of them empty.
fn messages(bytes: &mut Bytes, count: usize, longest: usize) -> Vec<Vec<Vec<u8>>> {
    let mut part = |_| {
        let length = bytes.below(longest);
        bytes.take(length)
    };
    (0..count).map(|index| (0..index % 4).map(&mut part).collect()).collect()
}

#[test]
fn many_digests_are_those_of_each() {
    let mut bytes = Bytes(5);
    for level in Level::all() {
        for count in (0..40).chain([97, 500]) {
            let messages = messages(&mut bytes, count, if count % 3 == 0 { 90 } else { 700 });
            let whole: Vec<_> = messages.iter().map(|parts| parts.concat()).collect();
            let parts = || messages.iter().map(|parts| parts.iter().map(Vec::as_slice));

            let mut told = BTreeSet::new();
            digest_many::<SHA3_256_RATE, 32, _>(level, Suffix::Sha3, parts(), |index, digest| {
                assert!(told.insert(index));
                assert_eq!(digest, sha3_256(&whole[index]), "{level:?}, {index} of {count}");
            });
            assert_eq!(told.len(), count);
            digest_many::<SHA3_512_RATE, 64, _>(level, Suffix::Sha3, parts(), |index, digest| {
                assert!(told.remove(&index));
                assert_eq!(digest, sha3_512(&whole[index]), "{level:?}, {index} of {count}");
            });
            assert!(told.is_empty());
            digest_many::<SHAKE256_RATE, 136, _>(level, Suffix::Shake, parts(), |index, digest| {
                assert_eq!(digest[..], shake256(&whole[index], 136), "{level:?}, {index} of {count}");
            });
        }
    }
}

#[test]
fn both_sponges_absorb_every_part() {
    let mut bytes = Bytes(6);
    for level in Level::all() {
        for round in 0..800 {
            // From other places of their blocks, over a few parts, of one length or of two.
            let head = bytes.take(round % 80);
            let mut low = Sponge::<SHA3_512_RATE>::new(level);
            let mut high = Sponge::<SHAKE256_RATE>::new(level);
            let (mut to_low, mut to_high) = (head, Vec::new());
            low.absorb(&to_low);
            for _ in 0..bytes.below(4) {
                let longest = [60, 200, 3000][bytes.below(3)];
                let length = bytes.below(longest);
                let part = bytes.take(length);
                let length = if round % 2 == 0 { length } else { bytes.below(longest) };
                let other = bytes.take(length);
                absorb_both((&mut low, &part), (&mut high, &other));
                to_low.extend(part);
                to_high.extend(other);
            }
            let (mut of_low, mut of_high) = ([0; 64], [0; 64]);
            low.finish(Suffix::Sha3, &mut of_low);
            high.finish(Suffix::Shake, &mut of_high);
            assert_eq!(of_low, sha3_512(&to_low), "{level:?}, {} bytes", to_low.len());
            assert_eq!(of_high[..], shake256(&to_high, 64), "{level:?}, {} bytes", to_high.len());
        }
    }
}

#[test]
fn sponges_of_two_levels_absorb_too() {
    let message = Bytes(7).take(2000);
    for (level, other) in Level::all().zip(Level::all().skip(1)) {
        for (level, other) in [(level, other), (other, level)] {
            let mut sha3 = Sponge::<SHA3_256_RATE>::new(level);
            let mut shake = Sponge::<SHAKE128_RATE>::new(other);
            absorb_both((&mut sha3, &message), (&mut shake, &message));
            let mut digest = [0; 32];
            sha3.finish(Suffix::Sha3, &mut digest);
            assert_eq!(digest, sha3_256(&message));
            shake.finish(Suffix::Shake, &mut digest);
            assert_eq!(digest[..], shake128(&message, 32));
        }
    }
}
