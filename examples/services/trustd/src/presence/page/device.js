// What authenticators do: credentials of WebAuthn, and keys that this browser keeps.

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function unbase64url(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

// The key that this browser keeps: it can be used here, and not be read, not even by this page.
function store(mode, work) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("presence", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const change = opening.result.transaction("keys", mode);
      const asking = work(change.objectStore("keys"));
      change.oncomplete = () => { opening.result.close(); done(asking.result); };
      change.onerror = () => failed(change.error);
    };
  });
}

const publicKey = async (pair) => hex(await crypto.subtle.exportKey("raw", pair.publicKey));

async function sign(pair, parts) {
  const text = new TextEncoder().encode(parts.join("::"));
  return hex(await crypto.subtle.sign("Ed25519", pair.privateKey, text));
}

// What an Ed25519 key says of itself when it is enrolled, and for another when it vouches.
const alive = async (pair, begun) => ({
  kind: "ed25519",
  public_key: await publicKey(pair),
  signature: await sign(pair, [
    begun.domain + "-PRESENCE", "ALIVE", begun.audience, begun.identity_id, begun.statement_hash, begun.nonce,
    begun.expiry, begun.domain,
  ]),
});

function needs(what) {
  if (!what) throw new Error("Browsers offer this by https only, so open this page at the service's own address.");
}

async function enrolKey(begun) {
  needs(crypto.subtle);
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  const made = await alive(pair, begun);
  // Kept before it is enrolled: an enrolled key that nobody has is of no use.
  await store("readwrite", (keys) => keys.put(pair, begun.identity_id));
  return made;
}

async function enrolCredential(begun) {
  needs(navigator.credentials);
  const options = begun.options.publicKey;
  options.challenge = unbase64url(options.challenge);
  options.user.id = unbase64url(options.user.id);
  for (const one of options.excludeCredentials || []) one.id = unbase64url(one.id);
  const made = await navigator.credentials.create({ publicKey: options });
  return {
    kind: "webauthn",
    credential: {
      id: made.id,
      rawId: base64url(made.rawId),
      type: made.type,
      response: {
        attestationObject: base64url(made.response.attestationObject),
        clientDataJSON: base64url(made.response.clientDataJSON),
        transports: made.response.getTransports ? made.response.getTransports() : null,
      },
      extensions: made.getClientExtensionResults(),
    },
  };
}

// What a new authenticator answers, of a kind.
export const enrol = (kind, begun) => (kind === "webauthn" ? enrolCredential(begun) : enrolKey(begun));

async function credential(challenge, known) {
  needs(navigator.credentials);
  const ids = known.filter((one) => one.credential_id).map((one) => unbase64url(one.credential_id));
  if (ids.length === 0) throw new Error("No device that can answer here is enrolled.");
  const allowCredentials = ids.map((id) => ({ type: "public-key", id }));
  const got = await navigator.credentials.get({
    publicKey: { challenge, allowCredentials, userVerification: "required", timeout: 120000 },
  });
  return {
    kind: "webauthn",
    credential: {
      id: got.id,
      rawId: base64url(got.rawId),
      type: got.type,
      response: {
        authenticatorData: base64url(got.response.authenticatorData),
        clientDataJSON: base64url(got.response.clientDataJSON),
        signature: base64url(got.response.signature),
        userHandle: got.response.userHandle ? base64url(got.response.userHandle) : null,
      },
      extensions: got.getClientExtensionResults(),
    },
  };
}

// The key of this browser for an identity, where it is one of those that are enrolled.
async function kept(identity, known) {
  const pair = await store("readonly", (keys) => keys.get(identity));
  if (!pair) return null;
  const name = await publicKey(pair);
  return known.some((one) => one.authenticator_id === name) ? pair : null;
}

// What one of the enrolled authenticators answers to a request.
export async function prove(request, known) {
  const { args, identity_id, op, primatelj, shard_ids, split_id, vault_id } = request.request;
  const pair = await kept(identity_id, known);
  if (!pair) return credential(unhex(request.challenge), known);
  const domain = request.domain;
  const proof = {
    args, expiry: request.expiry, identity_id, nonce: request.nonce, op, primatelj,
    public_key: await publicKey(pair), shard_ids, split_id, vault_id,
    signature: await sign(pair, [domain + "-PRESENCE", "ED25519", request.challenge, domain]),
  };
  return { kind: "ed25519", proof };
}

// What one of them answers for a further one. A credential hashes what it says behind a zero byte, as no challenge of a
// request is made.
export async function vouch(begun, known) {
  const pair = await kept(begun.identity_id, known);
  if (pair) return alive(pair, begun);
  const { domain, audience, identity_id, statement, nonce } = begun;
  const said = [domain + "-PRESENCE", "VOUCH", audience, identity_id, statement, nonce].join("::");
  const leaf = Uint8Array.from([0, ...new TextEncoder().encode(said)]);
  return credential(new Uint8Array(await crypto.subtle.digest("SHA-256", leaf)), known);
}

// What a device's refusal means.
export const REFUSALS = {
  NotAllowedError: "Your device did not confirm that it is you: it was cancelled, took too long, or cannot verify " +
    "who uses it.",
  InvalidStateError: "This device is enrolled already.",
  NotSupportedError: "This device or browser cannot do that.",
  SecurityError: "This page was opened at an address that the service does not go by: open it at the service's own.",
};
