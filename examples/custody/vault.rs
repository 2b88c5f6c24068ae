//! A vault secret among five nodes, which rebuilds only for people who show that they are there.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::field::Gf2_256;
use dualseal::presence::{EnrolledKeys, Nonce, Presence, PresenceProof};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{
    Arguments, Dealer, Gate, LostShard, Operation, Prepared, Rebuilding, Recipient, Request, Shard, ShardId, ShardKey,
    SplitInForce,
};
use dualseal::{Domain, Error, IdentityId, Krunica, SigningKey, SystemRng, Timestamp, VaultId};
use dualseal_examples::log::Log;
use dualseal_examples::report::Report;
use dualseal_examples::{Fallible, now};
use std::collections::BTreeSet;

/// A vault, its nodes and its people.
struct Vault {
    domain: Domain,
    key: ShardKey,
    owner: IdentityId,
    vault_id: VaultId,
    nodes: Vec<String>,
    secret: DrawnSecret<Gf2_256>,
    shards: Vec<Shard>,
    chain: Krunica,
    log: Log,
    people: People,
    /// The service that rebuilds, by the key that its nodes pinned.
    recipient: Recipient,
}

/// Two people with a device each, both of whom must be there; and the nonces that were used.
struct People {
    devices: [Ed25519SigningKey; 2],
    enrolled: EnrolledKeys,
    used: BTreeSet<[u8; 32]>,
}

/// Tells of proofs that open the gate, and of those that do not.
pub(crate) fn tell(domain: &Domain, report: &mut Report) -> Fallible<()> {
    println!("A vault secret, 3 of 5 nodes, two people must be there to rebuild it:");
    let mut vault = Vault::new(domain)?;
    rebuilding(&mut vault, report)?;
    frauds(&mut vault, report)?;
    keeping(&mut vault, report)
}

impl Vault {
    fn new(domain: &Domain) -> Fallible<Self> {
        let owner = domain.identity_id(b"custody", "owner", "")?;
        let vault_id = domain.vault_id(b"stored bytes", &owner.to_hex(), "CONTRACT", 0)?;
        let key = ShardKey::derive(domain, &Secret::random(&mut SystemRng)?, &owner);
        let devices = [Ed25519SigningKey::generate(&mut SystemRng)?, Ed25519SigningKey::generate(&mut SystemRng)?];
        let mut enrolled = EnrolledKeys::new();
        devices.iter().try_for_each(|device| enrolled.enrol(&owner, device.public_key()))?;
        let mut vault = Self {
            domain: domain.clone(),
            key,
            owner,
            vault_id,
            nodes: (1..=5).map(|number| format!("https://node-{number}.example")).collect(),
            secret: DrawnSecret::draw(&mut SystemRng)?,
            shards: Vec::new(),
            chain: Krunica::new(),
            log: Log::new(domain, "custody.example/vaults", "custody", "vaults")?,
            people: People { devices, enrolled, used: BTreeSet::new() },
            recipient: Recipient::of_key(SigningKey::generate(&mut SystemRng)?.public_key().as_bytes()),
        };
        let prepared = vault.dealer().prepare(&vault.secret, None, &mut SystemRng)?;
        vault.commit(prepared)?;
        Ok(vault)
    }

    fn dealer(&self) -> Dealer {
        let Self { domain, key, owner, vault_id, nodes, .. } = self;
        Dealer::without_record(domain, key, vault_id, owner, 3, nodes)
    }

    /// When every node said that it holds its new shard.
    fn commit(&mut self, prepared: Prepared) -> Fallible<()> {
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).up_to(self.chain.head());
        let watched = reader.own_splits(&self.key, &self.vault_id)?;
        self.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        let splits = reader.finish()?.take(watched)?;
        let held: Vec<ShardId> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
        self.chain.push(prepared.preparation.commit(&held, None, &splits, now()?)?.entry)?;
        self.shards = prepared.shards;
        Ok(())
    }

    /// The last splitting, under a checkpoint of the log.
    fn in_force(&self) -> Fallible<SplitInForce> {
        let checkpoint = self.log.sign_first(self.chain.head(), None)?;
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint)?;
        let watched = reader.splits(Some(&self.key), &self.vault_id)?;
        self.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        Ok(reader.finish()?.take(watched)?.in_force()?)
    }

    fn rebuilding<'a>(&'a self, in_force: &'a SplitInForce) -> Rebuilding<'a> {
        let Self { domain, key, owner, vault_id, .. } = self;
        Rebuilding { domain, key, vault_id, identity_id: owner, in_force: Some(in_force), recipient: &self.recipient }
    }

    fn pick(&self, numbers: &[usize]) -> Result<Vec<Shard>, Error> {
        numbers.iter().map(|number| Shard::from_json(self.shards[number - 1].to_json().as_bytes())).collect()
    }

    /// What the nodes and the gate are asked, for these shards.
    fn request(&self, operation: Operation, arguments: &Arguments, shards: &[Shard]) -> Fallible<Request> {
        let ids: Vec<ShardId> = shards.iter().map(|shard| *shard.shard_id()).collect();
        let split_id = shards.first().ok_or("no shard")?.split_id();
        Ok(self.rebuilding(&self.in_force()?).request(operation, arguments, split_id, &ids)?)
    }

    fn rebuild(&mut self, shards: &[Shard], proofs: &[PresenceProof], at: Timestamp) -> Fallible<DrawnSecret<Gf2_256>> {
        let in_force = self.in_force()?;
        let request = proofs.first().ok_or("no proof")?.request();
        let mut used = std::mem::take(&mut self.people.used);
        let rebuild = |gate: &mut dyn Gate| self.rebuilding(&in_force).rebuild(request, shards, gate, at);
        let rebuilt = self.people.gate(&mut used, proofs, rebuild);
        self.people.used = used;
        Ok(rebuilt??.secret)
    }
}

impl People {
    /// Both answer the challenge of a request.
    fn prove(&self, domain: &Domain, request: &Request, expiry: Timestamp) -> Fallible<Vec<PresenceProof>> {
        let nonce = Nonce::draw(&mut SystemRng)?;
        Ok(self.devices.iter().map(|device| PresenceProof::sign(domain, request, &nonce, expiry, device)).collect())
    }

    /// Lends the gate that stands before a secret.
    fn gate<T>(
        &self,
        used: &mut BTreeSet<[u8; 32]>,
        proofs: &[PresenceProof],
        work: impl FnOnce(&mut dyn Gate) -> T,
    ) -> Fallible<T> {
        let first = proofs.first().ok_or("no proof")?;
        let (nonce, expiry, verifier) = (*first.nonce(), first.expiry(), &self.enrolled);
        let mut consume = |nonce: &Nonce| used.insert(*nonce.as_bytes());
        let mut gate = Presence { verifier, proofs, nonce, expiry, required: 2, consume: &mut consume };
        Ok(work(&mut gate))
    }
}

fn later(time: Timestamp, seconds: i64) -> Fallible<Timestamp> {
    Ok(Timestamp::from_millis(time.as_millis() + seconds * 1000)?)
}

fn rebuilding(vault: &mut Vault, report: &mut Report) -> Fallible<()> {
    let (shards, time) = (vault.pick(&[1, 3, 5])?, now()?);
    let request = vault.request(Operation::Rebuild, &Arguments::default(), &shards)?;
    let proofs = vault.people.prove(&vault.domain, &request, later(time, 60)?)?;
    let rebuilt = vault.rebuild(&shards, &proofs, time);
    let right = rebuilt.as_ref().is_ok_and(|secret| secret.to_bytes() == vault.secret.to_bytes());
    let seen = rebuilt.as_ref().map_or_else(ToString::to_string, |_| "rebuilt".to_owned());
    report.line("both are there", &seen, right);
    let again = vault.rebuild(&shards, &proofs, time);
    report.refused("the same proofs again (replayed)", again, "the nonce of the challenge was used before");
    Ok(())
}

fn frauds(vault: &mut Vault, report: &mut Report) -> Fallible<()> {
    let (shards, time) = (vault.pick(&[1, 3, 5])?, now()?);
    let request = vault.request(Operation::Rebuild, &Arguments::default(), &shards)?;
    let proofs = vault.people.prove(&vault.domain, &request, later(time, 60)?)?;
    let late = vault.rebuild(&shards, &proofs, later(time, 60)?);
    report.refused("the proofs a minute later (expired)", late, "the challenge has expired");
    let lasting = vault.people.prove(&vault.domain, &request, later(time, 301)?)?;
    let expected = "the challenge expires more than 300 seconds from now";
    report.refused("proofs that would last too long", vault.rebuild(&shards, &lasting, time), expected);

    let other = vault.pick(&[1, 3, 4])?;
    let unnamed = "shards of another vault or splitting are among them: [4]";
    report.refused("the proofs with another shard (mismatched)", vault.rebuild(&other, &proofs, time), unnamed);
    let elsewhere = Request { recipient: Recipient::of_key(b"Eve's service"), ..request.clone() };
    let for_eve = vault.people.prove(&vault.domain, &elsewhere, later(time, 60)?)?;
    let expected = "the request is for another primatelj";
    report.refused("proofs for another service", vault.rebuild(&shards, &for_eve, time), expected);
    let repair = Arguments { index: Some(2), ..Arguments::default() };
    let for_repair = vault.request(Operation::Repair, &repair, &shards)?;
    let for_repair = vault.people.prove(&vault.domain, &for_repair, later(time, 60)?)?;
    let expected = "the request is for another op";
    report.refused("proofs for another operation", vault.rebuild(&shards, &for_repair, time), expected);
    let twice = [proofs[0].clone(), proofs[0].clone()];
    let one = "1 of 2 proofs of presence are good";
    report.refused("one of them answers twice", vault.rebuild(&shards, &twice, time), one);
    let stranger = Ed25519SigningKey::generate(&mut SystemRng)?;
    let nonce = *proofs[0].nonce();
    let stranger = PresenceProof::sign(&vault.domain, &request, &nonce, proofs[0].expiry(), &stranger);
    let expected = "1 of 2 proofs of presence are good; not good are those at [1]";
    report.refused(
        "a stranger beside one of them",
        vault.rebuild(&shards, &[proofs[0].clone(), stranger], time),
        expected,
    );

    let few = vault.rebuild(&shards[..2], &proofs, time);
    report.refused("two shards", few, "2 usable shares, 3 are needed");
    // Nothing of this spent the nonce: it is asked for last, when all else is good.
    report.accepted("the proofs after all of this", &vault.rebuild(&shards, &proofs, time));
    Ok(())
}

/// A lost shard, and a splitting that supersedes another.
fn keeping(vault: &mut Vault, report: &mut Report) -> Fallible<()> {
    let (shards, time) = (vault.pick(&[1, 3, 5])?, now()?);
    let mut used = std::mem::take(&mut vault.people.used);
    let in_force = vault.in_force()?;
    let lost = &vault.shards[1];
    let arguments = Arguments { index: Some(2), ..Arguments::default() };
    let request = vault.request(Operation::Repair, &arguments, &shards)?;
    let proofs = vault.people.prove(&vault.domain, &request, later(time, 60)?)?;
    let lost_shard = LostShard { index: lost.index(), node_url: lost.node_url(), shard_id: lost.shard_id() };
    let repaired = vault.people.gate(&mut used, &proofs, |gate| {
        vault.rebuilding(&in_force).repair(&request, &shards, lost_shard, gate, time)
    })??;
    let same = repaired.shard.to_json() == lost.to_json();
    report.line("node 2 lost its shard, and gets it again", if same { "the same shard" } else { "another" }, same);

    let arguments = Arguments { node_urls: Some(vault.nodes.clone()), ..Arguments::default() };
    let request = vault.request(Operation::Refresh, &arguments, &shards)?;
    let proofs = vault.people.prove(&vault.domain, &request, later(time, 60)?)?;
    let split = vault.people.gate(&mut used, &proofs, |gate| {
        let dealer = vault.dealer();
        Ok::<_, Box<dyn std::error::Error>>(vault.rebuilding(&in_force).refresh(
            &request,
            &shards,
            &dealer,
            gate,
            time,
            &mut SystemRng,
        )?)
    })??;
    vault.people.used = used;
    vault.commit(split)?;
    let fresh = vault.pick(&[2, 4, 5])?;
    let request = vault.request(Operation::Rebuild, &Arguments::default(), &fresh)?;
    let proofs = vault.people.prove(&vault.domain, &request, later(time, 60)?)?;
    report.accepted("dealt anew: three new shards", &vault.rebuild(&fresh, &proofs, time));
    let old = vault.request(Operation::Rebuild, &Arguments::default(), &shards);
    report.refused("dealt anew: three old shards", old, "the shards are of a splitting that was superseded");
    let mixed: Vec<Shard> = shards.into_iter().take(1).chain(vault.pick(&[2, 4])?).collect();
    let expected = "shards of another vault or splitting are among them: [1]";
    report.refused("dealt anew: an old shard among new ones", vault.rebuild(&mixed, &proofs, time), expected);
    Ok(())
}
