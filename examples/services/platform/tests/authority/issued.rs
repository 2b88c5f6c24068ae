//! What is issued, and what is not.

use crate::house::{House, grant};
use platform::access::{Scope, Tier};
use platform::authority::{Grant, scopes_of};
use platform::db::Statement;
use platform::values;
use std::collections::BTreeSet;

#[tokio::test]
async fn what_no_token_may_say_is_not_issued() {
    let house = House::new().await;
    let of_node = |tier, scopes: &[Scope]| Grant { node: Some("n".to_owned()), ..grant(tier, scopes) };
    let cases = [
        grant(Tier::Noble, &[]),
        grant(Tier::Noble, &[Scope::Node]),
        of_node(Tier::Native, &[Scope::Node]),
        of_node(Tier::Noble, &[Scope::Node, Scope::Trust]),
        of_node(Tier::Noble, &[Scope::Trust]),
        Grant { client: String::new(), ..grant(Tier::Noble, &[Scope::Trust]) },
        Grant { client: "a\nb".to_owned(), ..grant(Tier::Noble, &[Scope::Trust]) },
    ];
    for asked in cases {
        let mut tx = house.db.begin().await.unwrap();
        let refused = house.authority.issue(&mut tx, &asked).await.unwrap_err();
        assert_eq!(refused.kind().code, "invalid-field", "{asked:?}");
    }
    for (tier, most) in [(Tier::Native, 3600), (Tier::Noble, 86_400)] {
        let asked = Grant {
            life: Some(1 << 40),
            ..grant(tier, &Scope::ALL.iter().copied().filter(|one| *one != Scope::Node).collect::<Vec<_>>())
        };
        let claims = house.grant(&asked).await.claims;
        assert_eq!(claims.exp - claims.iat, most);
        let scopes: BTreeSet<_> = asked.scopes;
        assert_eq!(scopes_of(&claims.scope).unwrap(), scopes);
    }
}

/// Whoever got hold of a key that signs has the names of tokens too: what their rows do not say, no token says.
#[tokio::test]
async fn a_token_says_what_its_row_says() {
    const CHANGES: [Statement; 3] = [
        Statement::new("UPDATE tokens SET tier = 'noble' WHERE jti = $1"),
        Statement::new("UPDATE tokens SET scope = 'trust' WHERE jti = $1"),
        Statement::new("UPDATE tokens SET expires = expires - 1000 WHERE jti = $1"),
    ];
    let house = House::new().await;
    for change in CHANGES {
        let issued = house.issue(Tier::Native, &[Scope::Trust, Scope::Ops]).await;
        assert_eq!(house.get("/noble", &issued.text).await.status, 200);
        assert_eq!(house.db.execute(change, values![issued.claims.jti.to_string()]).await.unwrap(), 1);
        assert!(house.get("/noble", &issued.text).await.is(401, "bad-token"), "{change:?}");
    }
}
