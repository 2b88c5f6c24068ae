//! dualseal side by side with its peers: each row in turn with them, in one process.
//!
//! `cargo xtask bench` builds it, runs it, and makes the page of what it prints. Alone:
//! `dualseal-peers [--quick|--once] [--only TEXT]`.

#[path = "../../bare_seal.rs"]
mod bare_seal;
#[expect(dead_code, reason = "the criterion benches measure more of it")]
#[path = "../../bare_vault.rs"]
mod bare_vault;
mod machine;
mod mldsa;
mod openssl;
mod plain;
mod rows;
mod table;

use table::{Effort, Table};

fn main() {
    let (mut effort, mut only) = (Effort::FULL, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => effort = Effort::QUICK,
            "--once" => effort = Effort::ONCE,
            "--only" => only = Some(arguments.next().expect("--only needs a text")),
            other => panic!("no option {other:?}"),
        }
    }
    machine::describe();
    println!("#\tOpenSSL\t{}", openssl::version());
    let mut table = Table::new(effort, only);
    for pass in 1..=table.passes() {
        eprintln!("pass {pass} of {}", table.passes());
        rows::measure(&mut table);
    }
    table.print();
}
