//! The trust service's program.

use clap::Parser;
use dualseal::IdentityId;
use dualseal::note::{NoteKey, NoteName};
use platform::access::World;
use platform::authority::{Invitation, NewOutside, Revocation};
use platform::clock::Clock;
use platform::config::{Config, load};
use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;
use trustd::cli::{Backup, Chain, Checkpoint, Cli, Command, Login, Mesh, Node, Peers, Presence, Tiles, Token, scopes};
use trustd::commands::restore::Against;
use trustd::commands::token::Issue;
use trustd::commands::{
    self, Fault, backup, chain, corpus, demo, export, gate, health, integrity, invite, mail, node, opened, peers,
    restore, rotate, serve, token,
};
use trustd::witness::Witness;
use trustd::{App, docs, mesh, presence, start};

fn main() -> ExitCode {
    let cli = Cli::parse();
    // What it makes, its owner alone reads.
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    let done = runtime.block_on(run(cli));
    // A thread that reads the chain would be waited for.
    runtime.shutdown_background();
    match done {
        Ok(code) => code,
        Err(fault) => failed(&fault),
    }
}

fn failed(fault: &Fault) -> ExitCode {
    eprintln!("trustd: {fault}");
    ExitCode::from(2)
}

fn settings(file: Option<&Path>) -> Result<Config, Fault> {
    Ok(load(file, &std::env::vars().collect())?)
}

async fn run(cli: Cli) -> Result<ExitCode, Fault> {
    let command = cli.command.unwrap_or(Command::Serve);
    if let Command::Node(Node::Run { settings }) = command {
        let config = trustd::node::NodeConfig::load(&settings)?;
        platform::watch::logs(std::env::var("TRUSTD_LOG").ok().as_deref())?;
        trustd::node::run(config, platform::serve::asked_to_end()?).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Node(Node::Enrol { settings }) = command {
        node::enrol(&trustd::node::NodeConfig::load(&settings)?, &mut stdout().lock()).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Corpus { file } = command {
        return corpus::corpus(file.as_deref(), &mut stdout().lock());
    }
    if let Command::Witness(asked) = command {
        return follow(asked).await;
    }
    let (config, clock) = (settings(cli.config.as_deref()), Clock::system());
    if let (Command::InboundEmail { .. }, Err(fault)) = (&command, &config) {
        return Ok(mail::keeps(fault));
    }
    let config = config?;
    let out = &mut stdout().lock();
    match command {
        Command::Serve => serve::serve(config, std::env::var("TRUSTD_LOG").ok().as_deref()).await?,
        Command::Init(init) if init.rotate_master => rotate::master(&config, &clock, init.stopped, out).await?,
        Command::Init(_) => {
            let started = start::start(config, clock).await?;
            let made = if started.is_new { "founded" } else { "there already" };
            writeln!(out, "{}: {made}", started.platform.config.data.display())?;
        }
        Command::Chain(Chain::Verify) => {
            return Ok(ExitCode::from(chain::verify_chain(&config, &clock, out).await?.exit_code()));
        }
        Command::Backup(Backup::Make { folder }) => backup::make(&config, &clock, &folder, out).await?,
        Command::Backup(Backup::List) => backup::list(&config, &clock, out).await?,
        Command::Backup(Backup::Forget { id }) => backup::forget(&config, &clock, &id, out).await?,
        Command::Restore(asked) => {
            let against = asked.against.checkpoint.map_or(Against::Loss, Against::Checkpoint);
            restore::restore(&config, &clock, &asked.folder, &against, out).await?;
        }
        Command::Demo => demo::fill(config, clock, out).await?,
        Command::Openapi => writeln!(out, "{}", docs::printed(&config.base_url))?,
        Command::InboundEmail { spf } => return Ok(mail::hand_over(&config, &clock, spf.as_deref(), out).await),
        Command::Integrity(asked) => return integrity::integrity(&config, &clock, asked, out).await,
        Command::Mesh(Mesh::Check) => return mesh::check(&config, &clock, out).await,
        Command::Mesh(Mesh::Quiet { time }) => mesh::quiet(&config, &clock, time, out)?,
        Command::Peers(Peers::Enrol { service }) => peers::enrol(&config, &service, out).await?,
        Command::Gate => gate::gate(&config, &clock, out).await?,
        Command::Health => return health::ask(&config, out).await,
        Command::Checkpoint(Checkpoint::Key) => export::key(&config, &clock, out).await?,
        Command::Checkpoint(Checkpoint::Export { note }) => export::checkpoint(&config, &clock, note, out).await?,
        Command::Checkpoint(Checkpoint::RotateKey) => rotate::log_key(&config, &clock, out).await?,
        Command::Tiles(Tiles::Export { folder }) => export::tiles(&config, &clock, &folder, out).await?,
        command => of_people(command, config, clock, out).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Looks at somebody's log, once or again and again.
async fn follow(asked: trustd::cli::Witness) -> Result<ExitCode, Fault> {
    let (log, name) = (NoteKey::from_text(&asked.log)?, NoteName::new(&asked.name)?);
    let witness = Witness { address: asked.address, log, name, folder: asked.folder };
    if asked.show_key {
        println!("{}", witness.note_key()?.to_text());
        return Ok(ExitCode::SUCCESS);
    }
    let ends = platform::serve::asked_to_end()?;
    tokio::pin!(ends);
    loop {
        match (witness.turn(&Clock::system()).await, asked.every) {
            (Ok(size), _) => println!("seen and cosigned: {size} entries"),
            (Err(fault), None) => return Err(fault),
            (Err(fault), Some(_)) => eprintln!("trustd: {fault}"),
        }
        let Some(every) = asked.every else { return Ok(ExitCode::SUCCESS) };
        tokio::select! {
            () = tokio::time::sleep(every.duration()) => {}
            () = &mut ends => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// What the audit log has of a command, and about whom: of those that change who may call the service.
fn told(command: &Command) -> Option<(&'static str, Option<IdentityId>)> {
    Some(match command {
        Command::Invite(asked) => ("invite", asked.subject),
        Command::Token(Token::Issue(asked)) => ("token issue", asked.subject),
        Command::Token(Token::Revoke(asked)) => ("token revoke", asked.subject),
        Command::Token(Token::RotateKey) => ("token rotate-key", None),
        Command::Login(Login::Remove { .. }) => ("login remove", None),
        Command::Login(Login::Withdraw { .. }) => ("login withdraw", None),
        Command::Login(Login::Outside { subject, .. }) => ("login outside", Some(*subject)),
        Command::Node(Node::Add { subject, .. }) => ("node add", Some(*subject)),
        Command::Node(Node::Remove { .. }) => ("node remove", None),
        Command::Presence(Presence::Invite { subject }) => ("presence invite", Some(*subject)),
        Command::Presence(Presence::Agree { .. }) => ("presence agree", None),
        _ => return None,
    })
}

/// Who may call the service.
async fn of_people(command: Command, config: Config, clock: Clock, out: &mut dyn Write) -> Result<(), Fault> {
    let app = opened(config, clock).await?;
    let told = told(&command);
    let done = people(command, &app, out).await;
    if let Some((words, about)) = told {
        platform::watch::command(&app.db, &app.clock, words, about.as_ref(), done.is_ok()).await?;
    }
    done
}

async fn people(command: Command, app: &App, out: &mut dyn Write) -> Result<(), Fault> {
    match command {
        Command::Invite(asked) => {
            if let Some(label) = &asked.node {
                invite::invite_node(app, label, out).await?;
            } else if let (Some(identity_id), Some(tier), Some(scope)) = (asked.subject, asked.tier, asked.scope) {
                let (scopes, world, by) = (scopes(&scope)?, World::Real, Vec::new());
                let invitation = Invitation { identity_id, tier, scopes, world, by, node: None };
                invite::invite(app, &invitation, out).await?;
            }
        }
        Command::Token(Token::Issue(asked)) => {
            let life = asked.life.map(|life| life.0);
            if let Some(label) = &asked.node {
                token::issue_to_node(app, label, life, out).await?;
            } else if let (Some(subject), Some(tier), Some(scope)) = (asked.subject, asked.tier, asked.scope) {
                let (scopes, client) = (scopes(&scope)?, "command-line".to_owned());
                token::issue(app, &Issue { subject, tier, scopes, client, life }, out).await?;
            }
        }
        Command::Token(Token::Revoke(asked)) => {
            let of_subject = asked.subject.map(|subject| Revocation::Subject(subject, 0, Revocation::ALL));
            let which = asked.jti.map(Revocation::Token).or(of_subject).ok_or("give --jti or --subject")?;
            token::revoke(app, &which, out).await?;
        }
        Command::Token(Token::List { subject, most }) => token::list(app, subject.as_ref(), most, out).await?,
        Command::Token(Token::RotateKey) => token::rotate_key(app, out).await?,
        Command::Login(Login::List { subject }) => invite::list_logins(app, subject.as_ref(), out).await?,
        Command::Login(Login::Remove { id }) => invite::remove_login(app, &id, out).await?,
        Command::Login(Login::Invitations) => invite::list_invitations(app, out).await?,
        Command::Login(Login::Withdraw { id }) => invite::withdraw(app, &id, out).await?,
        Command::Login(Login::Outside { issuer, outside, subject, scope }) => {
            let (identity_id, scopes, world, by) = (subject, scopes(&scope)?, World::Real, Vec::new());
            invite::add_outside(app, &NewOutside { issuer, outside, identity_id, scopes, world, by }, out).await?;
        }
        Command::Node(Node::Add { label, subject, key }) => {
            node::add(app, &label, subject, key, out).await?;
            commands::pins(app, out).await?;
        }
        Command::Node(Node::Remove { label, lost }) => node::remove(app, &label, lost, out).await?,
        Command::Node(Node::Pins) => commands::pins(app, out).await?,
        Command::Node(_) => node::list(app, out).await?,
        Command::Presence(Presence::Invite { subject }) => {
            let (id, code) = presence::invite_by_host(app, &subject).await?;
            writeln!(out, "{id}\n{}", &*code)?;
        }
        Command::Presence(Presence::Agree { id }) => presence::agree_by_host(app, &id).await?,
        _ => return Err("this is done elsewhere".into()),
    }
    Ok(())
}
