//! Who brought whom: whoever invites, then who invited him, and so on up to the command line of the host, which is
//! nobody. It is kept with each login, so that no removal hides it: two natives are two where it has nobody in common.

use super::Authority;
use crate::access::Caller;
use crate::db::statements;
use crate::problem::Problem;
use crate::values;
use dualseal::IdentityId;

statements! {
    OF_TOKEN = "SELECT logins.invited_by AS invited_by FROM tokens JOIN logins ON logins.id = tokens.login \
                WHERE tokens.jti = $1";
}

/// As a column has it: none where nobody is named.
pub(super) fn to_text(lineage: &[IdentityId]) -> Option<String> {
    let names: Vec<_> = lineage.iter().map(IdentityId::to_hex).collect();
    (!names.is_empty()).then(|| names.join(" "))
}

/// The column, read.
pub(super) fn of_text(text: Option<&str>) -> Result<Vec<IdentityId>, Problem> {
    let read = |name: &str| name.parse().map_err(Problem::from);
    text.unwrap_or_default().split_whitespace().map(read).collect()
}

impl Authority {
    /// A caller, who invited him, and so on: what he gives out carries it.
    ///
    /// # Errors
    /// The database.
    pub async fn lineage(&self, caller: &Caller) -> Result<Vec<IdentityId>, Problem> {
        let row = self.db.find(OF_TOKEN, values![caller.token.to_string()]).await?;
        let before = row.map(|row| row.maybe_text("invited_by")).transpose()?.flatten();
        let mut lineage = vec![caller.subject];
        for one in of_text(before.as_deref())? {
            // Who comes twice in it is named once: it ends, whatever they invite each other to.
            if !lineage.contains(&one) {
                lineage.push(one);
            }
        }
        Ok(lineage)
    }
}
