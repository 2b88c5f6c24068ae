//! Three years with days on which nothing looks, with two that look at once, and with deaths on the way.

use super::*;
use jiff::Timestamp;

/// How many days pass until the next look: weeks of each day, week-ends, an illness, a summer.
const GAPS: [i64; 16] = [1, 1, 1, 1, 3, 1, 1, 6, 1, 2, 9, 1, 24, 1, 1, 40];
const THRESHOLDS: [i64; 3] = [30, 7, 1];

/// What is to be recorded of a document, computed from the looks alone: at each one the tightest of the thresholds that
/// were reached since the one before is told, and the wider ones are missed.
fn expected(document: &Document, looks: &[i64]) -> BTreeMap<i64, (&'static str, i64)> {
    let (mut all, mut tightest) = (BTreeMap::new(), i64::MAX);
    for now in looks {
        let there = document.zona.1.to_datetime(Timestamp::from_millisecond(*now).unwrap()).date();
        let left = i64::from((document.vrijedi_do - there).get_days());
        let mut reached: Vec<_> = THRESHOLDS.into_iter().filter(|days| left <= *days && *days < tightest).collect();
        reached.sort_unstable();
        for (index, days) in reached.iter().enumerate() {
            all.insert(*days, (if index == 0 { "sent" } else { "missed" }, *now));
        }
        tightest = reached.first().copied().unwrap_or(tightest);
    }
    all
}

#[tokio::test]
async fn three_years_with_missed_days_and_deaths() {
    let (begin, house): (Date, _) = ("2026-11-21".parse().unwrap(), House::new().await);
    let zones = [ZAGREB, "America/New_York", "Pacific/Kiritimati"];
    let mut documents =
        vec![house.document("leap", "2028-02-29", ZAGREB), house.document("leap, west", "2028-02-29", zones[1])];
    for (night, until) in ["2027-03-28", "2027-10-31", "2028-03-26", "2028-10-29", "2029-03-25"].iter().enumerate() {
        documents.push(house.document(&format!("night {night}"), until, zones[night % 3]));
    }
    for number in 0..60 {
        let until = begin + (35 + number * 17).days();
        documents.push(house.document(
            &format!("d{number}"),
            &until.to_string(),
            zones[usize::try_from(number).unwrap() % 3],
        ));
    }
    for document in &documents {
        house.write(document).await;
    }
    let (mut looks, mut days, mut gaps) = (Vec::new(), 0, GAPS.iter().cycle());
    while days < 3 * 365 + 120 {
        looks.push(house.clock.millis());
        // Somebody begins and dies, further on each time; then two look at once, and nobody has anything left.
        drop(Dies(Box::pin(turn(&house.app)), looks.len() % 7).await);
        for done in join_all((0..2).map(|_| turn(&house.app))).await {
            done.unwrap();
        }
        assert_eq!(turn(&house.app).await.unwrap(), 0);
        let gap = gaps.next().unwrap();
        days += gap;
        house.days(*gap);
    }
    let (mut told, mut states) = (0, BTreeSet::new());
    let rows = house.app.db.list(TOLD, values![]).await.unwrap();
    for document in &documents {
        let id = document.identity_id.to_hex();
        let own: Vec<_> = rows.iter().filter(|row| row.text("identity_id").unwrap() == id).collect();
        let recorded: BTreeMap<_, _> = own
            .iter()
            .map(|row| {
                let state = row.text("state").unwrap();
                (row.number("threshold").unwrap(), (state, row.number("time").unwrap()))
            })
            .collect();
        let expected = expected(document, &looks);
        assert_eq!(own.len(), 3, "{}: each once", document.naslov);
        let expected: BTreeMap<_, _> =
            expected.into_iter().map(|(days, (what, at))| (days, (what.to_owned(), at))).collect();
        assert_eq!(recorded, expected, "{}", document.naslov);
        told += recorded.values().filter(|(state, _)| state == "sent").count();
        states.extend(recorded.into_values().map(|(state, _)| state));
    }
    assert_eq!(states, BTreeSet::from(["missed".to_owned(), "sent".to_owned()]));
    assert_eq!(house.sent().await.len(), told, "one message for each that was told");
}
