//! The README's code is run, so that a newcomer's first try works: Python and C programs, and shell commands. Its Rust
//! is run by the suite `rust`, as documentation tests of core.

use crate::c::{Compiler, Link};
use crate::context::{Context, read, write};
use crate::process::run;
use crate::python;
use crate::rust;

/// A fenced block of a Markdown file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The first word after the fence, up to a comma.
    pub(crate) language: &'a str,
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
    pub(crate) code: String,
}

/// The fenced blocks of a Markdown text, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(info), None) => {
                let language = info.split([',', ' ']).next().unwrap_or_default();
                open = Some(Block { language, line: index + 1, code: String::new() });
            }
            (None, Some(mut block)) => {
                block.code.push_str(line);
                block.code.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let readme = read(&context.root.join("README.md"))?;
    let blocks = blocks(&readme);
    for wanted in ["rust", "python", "c", "sh"] {
        if !blocks.iter().any(|block| block.language == wanted) {
            return Err(format!("README.md has no ```{wanted} block"));
        }
    }
    if !read(&context.root.join("core/src/lib.rs"))?.contains("include_str!(\"../../README.md\")") {
        return Err("core/src/lib.rs does not include README.md, so its Rust is not tested".to_owned());
    }
    let scratch = context.scratch("readme")?;
    for block in &blocks {
        println!("README.md:{}: {}", block.line, block.language);
        let file = |extension| scratch.join(format!("line{}.{extension}", block.line));
        match block.language {
            "python" => {
                write(&file("py"), &block.code)?;
                let python = python::with_wheel(context)?.join("python");
                run(context.command(python).arg(file("py")).current_dir(&scratch))?;
            }
            "c" => {
                write(&file("c"), &block.code)?;
                let (program, compiled) = Compiler::new(context)?.compile(&file("c"), &scratch, Link::Shared)?;
                println!("{compiled}");
                run(context.command(program).current_dir(&scratch))?;
            }
            "sh" => {
                let bin = python::environment(context)?;
                let programs = rust::programs(context)?;
                let path = [&bin, &programs, &programs.join("examples")].map(|folder| folder.display().to_string());
                let path = format!("{}:{}", path.join(":"), std::env::var("PATH").unwrap_or_default());
                run(context.command("sh").arg("-euxc").arg(commands(&block.code)).env("PATH", path))?;
            }
            "rust" | "text" | "toml" | "json" => {}
            other => {
                return Err(format!("README.md:{}: nothing runs {other:?}; say `text`", block.line));
            }
        }
    }
    Ok(())
}

/// The commands without the one that would start this suite again, and the one that installs what was built already. An
/// example that cargo would build for release is run as it was built for the tests.
fn commands(code: &str) -> String {
    let left_out =
        |line: &str| ["cargo xtask test", "cargo install "].iter().any(|own| line.trim_start().starts_with(own));
    let built =
        |line: &str| match line.strip_prefix("cargo run --release --example ").map(|rest| rest.split_once(" -- ")) {
            Some(Some((example, arguments))) => format!("{example} {arguments}"),
            _ => line.to_owned(),
        };
    let lines: Vec<_> = code.lines().filter(|line| !left_out(line)).map(built).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Block, blocks, commands};

    #[test]
    fn blocks_have_a_language_a_line_and_their_code() {
        let text = "# x\n```rust,no_run\nlet a;\n\nlet b;\n```\ntext\n```\nplain\n```\n";
        let expected = [
            Block { language: "rust", line: 2, code: "let a;\n\nlet b;\n".to_owned() },
            Block { language: "", line: 8, code: "plain\n".to_owned() },
        ];
        assert_eq!(blocks(text), expected);
    }

    #[test]
    fn commands_run_what_was_built_and_not_the_test_command() {
        assert_eq!(commands("cargo run --release --example a -- b c\ncargo run x"), "a b c\ncargo run x");
        assert_eq!(commands("cargo xtask test\nls\ncargo xtask test rust # one\ncargo install --path x\n"), "ls");
    }
}
