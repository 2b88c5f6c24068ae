//! What came since the last checkpoint, when a service starts. The head that was signed is put together from the tree's
//! nodes, and its root is the one in the checkpoint: nothing before it was exchanged for what is read here.

use super::{ENTRIES, LAST, VerifyFault};
use crate::log::moment::Moment;
use crate::log::nodes::SizedNodes;
use crate::log::{LogFault, checkpoint};
use crate::secrets::Secrets;
use crate::values;
use dualseal::checkpoint::Checkpoint;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Entry, Head};
use dualseal_operator::opening::Refused;

const PORTION: u64 = 1024;

pub(super) async fn read(secrets: &Secrets, now: Moment) -> Result<u64, VerifyFault> {
    let Moment { mut tx, row, opened, .. } = now;
    let (tx, state) = (&mut tx, opened.state);
    let origin = row.origin.as_str();
    let (log, domain) = (row.id, secrets.domain());
    let of_log = |fault: LogFault| VerifyFault::Log { origin: origin.to_owned(), fault };
    let begun = match tx.find(LAST, values![log]).await?.map(|row| row.text("json")).transpose()? {
        None => TrustedHead::beginning(),
        Some(json) => {
            let of_row = |error| of_log(LogFault::Row(error));
            let found = Checkpoint::from_json(json.as_bytes()).map_err(of_row)?;
            let size = found.tree_head().size;
            let nodes = SizedNodes::frontier(tx, log, size).await?;
            let nodes = nodes.ok_or_else(|| of_log(LogFault::Refused(Refused::TreeEdited)))?;
            let head = Head::from_parts(size, found.tree_head().top, &nodes).map_err(of_row)?;
            let own = checkpoint::own(found, secrets, origin, state.ring());
            let own = own.map_err(|why| VerifyFault::Unowned { origin: origin.to_owned(), size, why })?;
            let fault = |fault| VerifyFault::Checkpoint { origin: origin.to_owned(), size, fault };
            TrustedHead::checkpoint(&own, &head).map_err(fault)?
        }
    };
    let mut reader = ChainReader::new(domain, &begun).up_to(state.head());
    let (begun, size) = (reader.size(), state.head().size());
    for from in (begun..size).step_by(usize::try_from(PORTION).unwrap_or(1)) {
        for row in tx.list(ENTRIES, values![log, from, size.min(from + PORTION)]).await? {
            let of_entry = |fault| VerifyFault::Entry { origin: origin.to_owned(), seq: reader.size(), fault };
            let entry = Entry::from_json(row.text("json")?.as_bytes()).map_err(of_entry)?;
            let seq = reader.size();
            let pushed = reader.push(&entry);
            pushed.map_err(|fault| VerifyFault::Entry { origin: origin.to_owned(), seq, fault })?;
        }
    }
    let ended = |fault| VerifyFault::Entry { origin: origin.to_owned(), seq: size, fault };
    reader.finish().map_err(ended)?;
    Ok(size - begun)
}
