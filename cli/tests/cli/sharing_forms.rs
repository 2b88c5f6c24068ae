//! Shares as pictures, on the terminal, and for the program `ssss`.

use crate::run::{Place, Ran};
use crate::sharing::split;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a picture says.
fn scanned(pixels: &[u8], width: usize) -> String {
    let mut decoder = quircs::Quirc::default();
    let codes: Vec<_> = decoder.identify(width, pixels.len() / width, pixels).collect();
    assert_eq!(codes.len(), 1);
    let code = codes.into_iter().next().unwrap().unwrap();
    String::from_utf8(code.decode().unwrap().payload).unwrap()
}

fn png(place: &Place, name: &str) -> (Vec<u8>, usize) {
    let file = fs::File::open(place.path(name)).unwrap();
    let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (pixels, info.width as usize)
}

/// The picture that stands in a terminal, each half of a character a module of 4 by 4 pixels.
fn terminal(lines: &[&str]) -> (Vec<u8>, usize) {
    let (mut pixels, mut width) = (Vec::new(), 0);
    for line in lines {
        let line = line.strip_prefix("\x1b[30;107m").unwrap().strip_suffix("\x1b[0m").unwrap();
        for half in ["\u{2580}", "\u{2584}"] {
            let row: Vec<u8> =
                line.chars().flat_map(|c| [if c == '\u{2588}' || half.starts_with(c) { 0 } else { 255 }; 4]).collect();
            width = row.len();
            pixels.extend(row.repeat(4));
        }
    }
    (pixels, width)
}

#[test]
fn pictures_say_what_the_files_say() {
    for options in [&["--field=p521", "--form=file,png"][..], &["--field=gf256", "--form=png,file"]] {
        let place = split("pictures", options);
        for number in 1..=5 {
            let (pixels, width) = png(&place, &format!("share-{number}.png"));
            let text = place.read(&format!("share-{number}.txt"));
            assert_eq!(scanned(&pixels, width), text.lines().last().unwrap());
        }
        // What was scanned gives the file back.
        let scans: Vec<String> = [2, 3, 5]
            .map(|number| {
                let (pixels, width) = png(&place, &format!("share-{number}.png"));
                scanned(&pixels, width)
            })
            .into();
        let args = ["combine", "-", "--dealing=dealing.json", "--wrapped=will.pdf.wrapped", "-o-"];
        let ran = place.fed(&args, scans.join("\n").as_bytes());
        assert_eq!((ran.status, ran.out.as_str()), (0, "the last will"), "{ran:?}");
    }
}

#[test]
fn terminals_show_codes_and_no_file_is_written() {
    let place = Place::new("terminal-codes");
    place.write("will.pdf", "the last will");
    let ran = place.good(&["split", "will.pdf", "--threshold=2", "--shares=3", "--form=qr,text", "-omade"]);
    assert!(ran.err.starts_with("Split: any 2 of the 3 shares"), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    let shares: Vec<&[&str]> = lines.split(|line| line.starts_with("share ")).skip(1).collect();
    assert_eq!(shares.len(), 3);
    let mut texts = String::new();
    for share in shares {
        let (text, code) = share.split_last().unwrap();
        let (pixels, width) = terminal(code);
        // It fits on a terminal of 80 columns.
        assert!(width / 4 <= 80, "{width}");
        assert_eq!(scanned(&pixels, width), *text);
        texts.push_str(text);
        texts.push('\n');
    }
    let mut names: Vec<_> = fs::read_dir(place.path("made"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["dealing.json", "will.pdf.wrapped"]);
    let args = ["combine", "-", "--dealing=made/dealing.json", "--wrapped=made/will.pdf.wrapped", "-o-"];
    assert_eq!(place.fed(&args, texts.as_bytes()).out, "the last will");
}

/// The program `ssss`, which must be there: without it nothing is proven.
fn ssss(program: &str, args: &[&str], input: &str) -> String {
    let spawned = Command::new(program)
        .args(args)
        .args(["-x", "-D", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.unwrap_or_else(|error| panic!("{program}: {error}; install the Debian package ssss"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 0, "{ran:?}");
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn ssss_combines_what_we_split() {
    let place = split("ssss-ours", &["--format=ssss"]);
    let shares: String = [5, 2, 3].map(|number| place.read(&format!("share-{number}.txt"))).concat();
    let secret = ssss("ssss-combine", &["-t", "3"], &shares);
    let args = ["combine", "--from-secret=-", "--wrapped=will.pdf.wrapped", "-o-"];
    let ran = place.fed(&args, secret.as_bytes());
    assert_eq!((ran.status, ran.out.as_str()), (0, "the last will"), "{ran:?}");
    // The same by ourselves, with and without the dealing.
    let ours = ["combine", "-", "--format=ssss", "--wrapped=will.pdf.wrapped", "-o-"];
    let anchored = place.fed(&[&ours[..], &["--dealing=dealing.json"]].concat(), shares.as_bytes());
    assert_eq!((anchored.status, anchored.out.as_str()), (0, "the last will"), "{anchored:?}");
    let alone = place.fed(&[&ours[..], &["--threshold=3"]].concat(), shares.as_bytes());
    assert_eq!((alone.status, alone.out.as_str()), (0, "the last will"), "{alone:?}");
    assert!(alone.err.contains("NOBODY VOUCHES"), "{alone:?}");
    let unsaid = place.fed(&ours, shares.as_bytes());
    assert_eq!(unsaid.status, 64, "{unsaid:?}");
    let wrong = place.fed(&[&ours[..], &["--threshold=2"]].concat(), shares.as_bytes());
    assert_ne!(wrong.status, 0, "{wrong:?}");
    let wrong = place.fed(&["combine", "--from-secret=-", "--wrapped=will.pdf.wrapped", "-o-"], b"0f0f\n");
    assert_eq!((wrong.status, wrong.out.as_str()), (66, ""), "{wrong:?}");
}

#[test]
fn we_combine_what_ssss_split() {
    let place = Place::new("ssss-theirs");
    let secret = "9f".repeat(31) + "01";
    for (k, n) in [(2, 3), (3, 12)] {
        let texts =
            ssss("ssss-split", &["-t", &k.to_string(), "-n", &n.to_string(), "-s", "256"], &format!("{secret}\n"));
        let shares: Vec<&str> = texts.lines().filter(|line| line.contains('-')).collect();
        assert_eq!(shares.len(), n);
        let some = shares[n - k..].join("\n");
        let threshold = format!("--threshold={k}");
        let ran = place.fed(&["combine", "-", "--format=ssss", &threshold, "--secret", "-o-"], some.as_bytes());
        assert_eq!((ran.status, ran.out.trim()), (0, secret.as_str()), "{ran:?}");
        assert!(ran.err.contains("nothing was checked"), "{ran:?}");
        let all =
            place.fed(&["combine", "-", "--format=ssss", &threshold, "--secret", "-o-"], shares.join("\n").as_bytes());
        assert_eq!((all.status, all.out.trim()), (0, secret.as_str()), "{all:?}");
        assert!(all.err.contains("The shares agree with each other"), "{all:?}");
    }
    for text in ["0-00", "x", "1-00", "256-00"] {
        let ran = place.fed(&["combine", "-", "--format=ssss", "--threshold=2", "--secret", "-o-"], text.as_bytes());
        assert_eq!(ran.status, 66, "{text}: {ran:?}");
    }
    let p521 = split("ssss-p521", &[]);
    let args = ["combine", "share-1.txt", "--format=ssss", "--dealing=dealing.json", "--wrapped=x", "-o-"];
    p521.refused(&args, 64, "shares over GF(2^256)");
}
