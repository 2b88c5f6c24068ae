//! `trustd token issue | revoke | list | rotate-key`.

use super::{Failed, say, time};
use crate::App;
use crate::auth::shut_out;
use dualseal::IdentityId;
use platform::Platform;
use platform::access::{Scope, Tier, World};
use platform::authority::{Grant, Issued, Revocation};
use platform::problem::{Problem, kinds};
use std::collections::BTreeSet;
use std::io::Write;

/// What a token is issued for.
#[derive(Clone, Debug)]
pub struct Issue {
    /// The identity.
    pub subject: IdentityId,
    /// The tier.
    pub tier: Tier,
    /// The scopes.
    pub scopes: BTreeSet<Scope>,
    /// The program that gets it.
    pub client: String,
    /// How many seconds it lives; as long as the settings say unless it is set.
    pub life: Option<u64>,
}

/// Issues a token, and prints it alone, so that a script takes it as it is.
///
/// # Errors
/// [`Failed`].
pub async fn issue(platform: &Platform, asked: &Issue, out: &mut dyn Write) -> Result<(), Failed> {
    let Issue { subject, tier, scopes, client, life } = asked.clone();
    print(platform, &Grant { subject, tier, scopes, client, node: None, login: None, life, world: World::Real }, out)
        .await
}

/// The first native token of a service that was founded just now: the operator's, with whom everything begins.
///
/// # Errors
/// [`Failed`].
pub async fn first(platform: &Platform) -> Result<Issued, Failed> {
    let subject = platform.log.domain().identity_id(b"", "operator", "trustd")?;
    let (scopes, client) = (
        BTreeSet::from([
            Scope::Trust,
            Scope::Messaging,
            Scope::Fleet,
            Scope::Driver,
            Scope::Family,
            Scope::Proof,
            Scope::Models,
            Scope::Ops,
        ]),
        "first-start".to_owned(),
    );
    let (tier, world) = (Tier::Native, World::Real);
    let grant = Grant { subject, tier, scopes, client, node: None, login: None, life: None, world };
    let mut tx = platform.db.begin().await?;
    let issued = platform.authority.issue(&mut tx, &grant).await?;
    tx.commit().await?;
    Ok(issued)
}

/// Issues the token of a node that was added.
///
/// # Errors
/// [`Failed`].
pub async fn issue_to_node(
    platform: &Platform,
    label: &str,
    life: Option<u64>,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    let found = platform.authority.node(label).await?;
    let node = found.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID).detail("there is no node of this label"))?;
    let grant = Grant {
        subject: node.identity_id,
        tier: Tier::Noble,
        scopes: BTreeSet::from([Scope::Node]),
        client: "node".to_owned(),
        node: Some(node.label),
        login: None,
        life,
        world: World::Real,
    };
    print(platform, &grant, out).await
}

async fn print(platform: &Platform, grant: &Grant, out: &mut dyn Write) -> Result<(), Failed> {
    let mut tx = platform.db.begin().await?;
    let issued = platform.authority.issue(&mut tx, grant).await?;
    tx.commit().await?;
    say(out, format_args!("{}", &*issued.text))
}

/// Revokes tokens, and prints how many that lived.
///
/// # Errors
/// [`Failed`]; [`kinds::UNKNOWN_ID`] where there was none.
pub async fn revoke(app: &App, which: &Revocation, out: &mut dyn Write) -> Result<(), Failed> {
    let revoked = shut_out::revoke(app, which, World::Real).await?;
    if revoked == 0 {
        let detail = "no such token lives: it has ended, was revoked before, or never was";
        return Err(Problem::new(&kinds::UNKNOWN_ID).detail(detail).into());
    }
    say(out, format_args!("revoked {revoked}"))
}

/// Prints the tokens that live, newest first: of one subject, or of all.
///
/// # Errors
/// [`Failed`].
pub async fn list(
    platform: &Platform,
    subject: Option<&IdentityId>,
    most: u64,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    for one in platform.authority.tokens(subject, most).await? {
        let (issued, expires) = (time(one.issued), time(one.expires));
        let node = one.node.map(|node| format!(" node={node}")).unwrap_or_default();
        let revoked = if one.revoked { " revoked" } else { "" };
        let platform::authority::Listed { jti, subject, client, tier, scope, .. } = one;
        say(
            out,
            format_args!(
                "{jti} {tier} {subject} scope={scope:?} client={client:?}{node} {issued} to {expires}{revoked}"
            ),
        )?;
    }
    Ok(())
}

/// Has a new key sign tokens from now on, and prints its name.
///
/// # Errors
/// [`Failed`].
pub async fn rotate_key(platform: &Platform, out: &mut dyn Write) -> Result<(), Failed> {
    let kid = platform.authority.rotate_token_key().await?;
    say(out, format_args!("tokens are signed by {kid}; the key before verifies until its last token has expired"))
}
