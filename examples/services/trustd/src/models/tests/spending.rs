//! Budgets, and what a thief gets.

use super::super::routes::spending;
use super::super::store::spent_by;
use super::super::types::{SpendOut, SpendQuery};
use super::*;
use futures::future::join_all;
use platform::config::Seconds;
use platform::db::Statement;
use platform::values;
use platform::web::Name;

impl Desk {
    /// Millionths of a cent: of ana, and of all.
    async fn spent(&self) -> (u64, u64) {
        const ALL: Statement = Statement::new("SELECT spent FROM model_spend WHERE subject = ''");
        let app = &self.house.app;
        let all = app.db.find(ALL, values![]).await.unwrap().map_or(0, |row| row.size("spent").unwrap());
        (spent_by(app, &self.house.ana, "2026-11").await.unwrap(), all)
    }

    async fn shown(&self, caller: &Caller, of: Option<IdentityId>) -> SpendOut {
        let query = SpendQuery { identity_id: of.map(Name) };
        spending(&self.house.app, &self.models, caller, query).await.unwrap()
    }
}

/// What the question of the tests takes at most: its bytes with what is around its four parts, and 64 tokens.
const MOST: u64 = (5 + 6 + 21 + 9 + 4 * 32) * 300 + 64 * 1500;

#[tokio::test]
async fn what_was_answered_is_paid_for_and_nothing_else() {
    let desk = Desk::with(|models| models.patience = Seconds(1)).await;
    desk.answer_as(["outage", "success", "success", "success"]).await;
    let first = ModelKind::Anthropic;
    desk.answers(first, case(first, "success"), 1).await;
    assert_eq!(desk.ask().await, "anthropic");
    let paid = 15 * 300 + 9 * 1500;
    assert_eq!(desk.spent().await, (paid, paid));
    desk.answers(first, case(first, "a request that is wrong"), 1).await;
    assert_eq!((desk.ask().await.as_str(), desk.spent().await), ("model-refused", (paid, paid)));
    // Nobody knows whether these cost anything: all that was reserved counts, of each attempt.
    desk.answers(first, case(first, "malformed: no usage"), 1).await;
    desk.answers(first, case(first, "success").set_delay(Duration::from_secs(9)), 2).await;
    let after = [paid + MOST, paid + 3 * MOST];
    for spent in after {
        assert_eq!((desk.ask().await.as_str(), desk.spent().await), ("provider-failed", (spent, spent)));
    }
    // A provider that counts as it likes takes no more than there was.
    let mut lie = cases(first).swap_remove(0);
    lie.body.as_mut().unwrap()["usage"]["output_tokens"] = 9_000_000.into();
    desk.answers(first, lie.template(), 1).await;
    let spent = paid + 4 * MOST;
    assert_eq!((desk.ask().await.as_str(), desk.spent().await), ("anthropic", (spent, spent)));
    let shown = desk.shown(&caller(desk.house.ana, World::Real), None).await;
    assert_eq!(shown, SpendOut { period: "2026-11".into(), spent_cents: 1, budget_cents: 500 });
}

/// Three at twice the price are in a cent, and no fourth.
#[tokio::test]
async fn calls_beside_each_other_do_not_pass_the_budget() {
    for (own, all) in [(1, 5000), (500, 1)] {
        let desk = Desk::with(|models| {
            (models.budget, models.budget_of_all) = (own, all);
            for provider in &mut models.providers {
                provider.input_price *= 2;
                provider.output_price *= 2;
            }
        })
        .await;
        let slow = case(ModelKind::Anthropic, "success").set_delay(Duration::from_secs(2));
        desk.answers(ModelKind::Anthropic, slow, 20).await;
        let told = join_all((0..4).map(|_| desk.ask())).await;
        let answered = told.iter().filter(|told| *told == "anthropic").count();
        assert_eq!(answered, usize::try_from(1_000_000 / (2 * MOST)).unwrap(), "{told:?}");
        assert_eq!(told.iter().filter(|told| *told == "budget-spent").count(), 4 - answered, "{told:?}");
        assert_eq!(desk.asked().await, [answered, 0, 0, 0]);
        let paid = 2 * (15 * 300 + 9 * 1500) * u64::try_from(answered).unwrap();
        assert_eq!(desk.spent().await, (paid, paid));
    }
}

#[tokio::test]
async fn who_goes_away_pays_what_it_cost() {
    let desk = Desk::new().await;
    let slow = case(ModelKind::Anthropic, "success").set_delay(Duration::from_secs(1));
    desk.answers(ModelKind::Anthropic, slow, 1).await;
    assert!(tokio::time::timeout(Duration::from_millis(300), desk.ask()).await.is_err());
    let paid = 15 * 300 + 9 * 1500;
    for _ in 0..100 {
        if desk.spent().await.1 == paid {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!((desk.asked().await, desk.spent().await), (vec![1, 0, 0, 0], (paid, paid)));
}

#[tokio::test]
async fn a_month_has_a_budget_of_its_own() {
    let desk = Desk::with(|models| models.budget = 0).await;
    let caller = caller(desk.house.ana, World::Real);
    let refused = desk.ask_as(&caller).await.err().unwrap();
    let left = 9 * 86_400 + 15 * 3600;
    assert_eq!((refused.kind().code, refused.comes_back_after()), ("budget-spent", Some(left)));
    assert_eq!(desk.asked().await, [0, 0, 0, 0]);
    let rich = Desk::new().await;
    rich.answers(ModelKind::Anthropic, case(ModelKind::Anthropic, "success"), 2).await;
    assert_eq!(rich.ask().await, "anthropic");
    rich.house.after(10 * 86_400_000);
    assert_eq!(rich.shown(&caller, None).await.spent_cents, 0);
    assert_eq!(rich.ask().await, "anthropic");
    // A year later the rows go.
    rich.house.after(400 * 86_400_000);
    super::super::sweep(&rich.house.app).await.unwrap();
    assert_eq!(rich.spent().await, (0, 0));
}

#[tokio::test]
async fn a_thief_calls_nobody_and_spends_nothing() {
    let desk = Desk::new().await;
    let (ana, bo) = (desk.house.ana, desk.house.app.log.domain().identity_id(b"", "bo", "").unwrap());
    desk.answers(ModelKind::Anthropic, case(ModelKind::Anthropic, "success"), 1).await;
    let thief = caller(ana, World::Decoy);
    for _ in 0..2 {
        let refused = desk.ask_as(&thief).await.err().unwrap();
        assert_eq!((refused.kind().code, refused.comes_back_after().is_some()), ("budget-spent", true));
    }
    assert_eq!((desk.asked().await, desk.spent().await), (vec![0, 0, 0, 0], (0, 0)));
    assert_eq!(desk.shown(&thief, None).await.spent_cents, 500);
    // Of others he learns nothing, and what is no one's own is not there.
    assert_eq!(desk.ask_as(&caller(bo, World::Real)).await.map(|out| out.provider).ok(), Some("anthropic"));
    let native = Caller { tier: Tier::Native, ..thief.clone() };
    assert_eq!(desk.shown(&native, Some(bo)).await.spent_cents, 0);
    let query = SpendQuery { identity_id: Some(Name(bo)) };
    let foreign = spending(&desk.house.app, &desk.models, &thief, query).await.unwrap_err();
    assert_eq!(foreign.kind().code, "unknown-id");
    // Where there are no providers, or none is left, he is answered as anybody.
    let none = Desk::with(|models| models.providers.clear()).await;
    assert_eq!(none.ask_as(&caller(ana, World::Decoy)).await.err().unwrap().kind().code, "no-provider");
    assert_eq!(none.shown(&thief, None).await.spent_cents, 0);
    for kind in KINDS {
        fs::remove_file(desk.keys.path().join(kind.as_str())).unwrap();
    }
    assert_eq!(desk.ask_as(&thief).await.err().unwrap().kind().code, "providers-out");
}
