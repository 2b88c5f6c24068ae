//! A backup of the rows of secrets, which is put back when what it has was erased.

use crate::App;
use dualseal::IdentityId;
use dualseal_operator::secrets::Place;
use platform::db::statements;
use platform::values;

statements! {
    ROWS = "SELECT s.tbl, s.line, s.purpose, s.stored, o.owner, o.generation FROM secrets s LEFT JOIN owned_secrets o \
            ON o.tbl = s.tbl AND o.line = s.line AND o.purpose = s.purpose \
            WHERE LENGTH(s.stored) > 0 ORDER BY s.tbl, s.line";
    PUT = "INSERT INTO secrets (tbl, line, purpose, stored) VALUES ($1, $2, $3, $4) \
           ON CONFLICT (tbl, line, purpose) DO UPDATE SET stored = excluded.stored";
    OWN = "INSERT INTO owned_secrets (tbl, line, purpose, owner, generation) VALUES ($1, $2, $3, $4, $5) \
           ON CONFLICT (tbl, line, purpose) DO UPDATE SET owner = excluded.owner, generation = excluded.generation";
}

/// Rows of secrets that stood there, without the keys of the vault itself.
pub(crate) struct Backup(Vec<(Place, Vec<u8>, Owned)>);

/// Whose key a row is under, and which of his.
type Owned = Option<(Vec<u8>, i64)>;

impl Backup {
    /// Of the rows that stand there of these tables.
    pub(crate) async fn make(app: &App, tables: &[&str]) -> Self {
        let mut rows = Vec::new();
        for row in app.db.list(ROWS, values![]).await.unwrap() {
            let (table, purpose) = (row.text("tbl").unwrap(), row.text("purpose").unwrap());
            if !tables.contains(&&*table) || (table == "vault" && purpose != "secret") {
                continue;
            }
            let place = Place::new(&table, &row.bytes("line").unwrap(), &purpose).unwrap();
            let owner = row.maybe_bytes("owner").unwrap().zip(row.maybe_number("generation").unwrap());
            rows.push((place, row.bytes("stored").unwrap(), owner));
        }
        Self(rows)
    }

    /// Those of one line alone.
    pub(crate) fn of_line(self, line: &[u8]) -> Self {
        Self(self.0.into_iter().filter(|(place, ..)| place.row() == line).collect())
    }

    /// How many rows of a table there are.
    pub(crate) fn of(&self, table: &str) -> usize {
        self.0.iter().filter(|(place, ..)| place.table() == table).count()
    }

    /// Puts the rows back.
    pub(crate) async fn put(&self, app: &App) {
        for (place, stored, owned) in &self.0 {
            let row = values![place.table(), place.row(), place.purpose(), stored.as_slice()];
            app.db.execute(PUT, row).await.unwrap();
            if let Some((owner, generation)) = owned {
                let row = values![place.table(), place.row(), place.purpose(), owner.as_slice(), *generation];
                app.db.execute(OWN, row).await.unwrap();
            }
        }
    }

    /// Puts the rows back, and says which open by the master, or by what is left of their owners' keys.
    pub(crate) async fn opens(&self, app: &App) -> Vec<String> {
        let tables = self.0.iter().map(|(place, ..)| place.table()).collect::<Vec<_>>();
        let now = Self::make(app, &tables).await;
        self.put(app).await;
        let mut open = Vec::new();
        for (place, stored, owned) in &self.0 {
            let by_master = app.secrets.open(place, stored.clone()).is_ok();
            let by_owner = match owned {
                Some((owner, _)) => {
                    let owner = IdentityId::from_bytes(owner.as_slice().try_into().unwrap());
                    app.owners.open(&app.db, &owner, place).await.is_ok_and(|found| found.is_some())
                }
                None => false,
            };
            if by_master || by_owner {
                open.push(place.table().to_owned());
            }
        }
        // What stands there goes on as it was.
        Self(self.0.iter().map(|(place, ..)| (place.clone(), Vec::new(), None)).collect()).put(app).await;
        now.put(app).await;
        open
    }
}
