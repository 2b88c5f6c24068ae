"use strict";

const said = document.getElementById("said");
const asked = document.getElementById("asked");
const prove = document.getElementById("prove");
let shown = null;

function say(text, bad) {
  said.textContent = text;
  said.className = bad ? "bad" : "";
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function unbase64url(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

async function call(method, path, body, token) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = "Bearer " + token;
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  const json = text ? JSON.parse(text) : {};
  if (!answer.ok) {
    const fields = (json.errors || []).map((field) => field.detail).join("; ");
    throw new Error([json.title, json.detail, fields].filter(Boolean).join(": ") || "status " + answer.status);
  }
  return json;
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
      change.oncomplete = () => done(asking.result);
      change.onerror = () => failed(change.error);
    };
  });
}

const keyOf = (identity) => store("readonly", (keys) => keys.get(identity));

async function sign(pair, parts) {
  const text = new TextEncoder().encode(parts.join("::"));
  return hex(await crypto.subtle.sign("Ed25519", pair.privateKey, text));
}

async function publicKey(pair) {
  return hex(await crypto.subtle.exportKey("raw", pair.publicKey));
}

async function enrolKey(begun) {
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  const signature = await sign(pair, [
    begun.domain + "-PRESENCE", "ALIVE", begun.audience, begun.identity_id, begun.statement_hash, begun.nonce,
    begun.expiry, begun.domain,
  ]);
  // Kept before it is enrolled: an enrolled key that nobody has is of no use.
  await store("readwrite", (keys) => keys.put(pair, begun.identity_id));
  return { kind: "ed25519", public_key: await publicKey(pair), signature };
}

async function enrolCredential(begun) {
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

async function proveByCredential(challenge, known) {
  const got = await navigator.credentials.get({
    publicKey: {
      challenge: unhex(challenge),
      allowCredentials: known.map((one) => ({ type: "public-key", id: unbase64url(one.credential_id) })),
      userVerification: "required",
      timeout: 120000,
    },
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

async function proveByKey(request, pair) {
  const domain = request.domain;
  const signature = await sign(pair, [domain + "-PRESENCE", "ED25519", request.challenge, domain]);
  const { args, identity_id, op, primatelj, shard_ids, split_id, vault_id } = request.request;
  const proof = {
    args, expiry: request.expiry, identity_id, nonce: request.nonce, op, primatelj,
    public_key: await publicKey(pair), shard_ids, signature, split_id, vault_id,
  };
  return { kind: "ed25519", proof };
}

function show(request) {
  asked.replaceChildren();
  const lines = [
    ["What", request.request.op], ["Vault", request.request.vault_id], ["Whose", request.request.identity_id],
    ["Who receives the shards", request.request.primatelj], ["Shards", request.request.shard_ids.length],
    ["Until", request.expiry], ["Proofs", request.proofs + " of " + request.required],
  ];
  for (const [name, value] of lines) {
    const term = document.createElement("dt");
    const text = document.createElement("dd");
    term.textContent = name;
    text.textContent = String(value);
    asked.append(term, text);
  }
  asked.hidden = false;
  prove.hidden = request.state !== "open";
}

function on(form, work) {
  document.getElementById(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await work(new FormData(event.target));
    } catch (error) {
      say(error.message, true);
    }
  });
}

on("enrol", async (form) => {
  const kind = form.get("kind");
  const begun = await call("POST", "/api/v1/presence/enrol/begin", { invitation: form.get("invitation"), kind });
  const authenticator = kind === "webauthn" ? await enrolCredential(begun) : await enrolKey(begun);
  const made = await call("POST", "/api/v1/presence/enrol/finish", {
    enrolment_id: begun.enrolment_id, label: form.get("label"), authenticator,
  });
  say("Enrolled. It counts from " + made.counts_from + ".");
});

on("approve", async (form) => {
  const token = form.get("token");
  const path = "/api/v1/qt/requests/" + encodeURIComponent(form.get("request"));
  const request = await call("GET", path, undefined, token);
  shown = { token, path, request };
  show(request);
  say("");
});

prove.addEventListener("click", async () => {
  try {
    const { token, path, request } = shown;
    const identity = request.request.identity_id;
    const pair = await keyOf(identity);
    const list = "/api/v1/presence/authenticators?identity_id=" + identity;
    const known = (await call("GET", list, undefined, token)).items;
    const mine = pair ? await publicKey(pair) : null;
    const credentials = known.filter((one) => one.kind === "webauthn");
    const byKey = mine && known.some((one) => one.authenticator_id === mine);
    if (!byKey && credentials.length === 0) throw new Error("No device is enrolled for this identity.");
    const proof = byKey ? await proveByKey(request, pair) : await proveByCredential(request.challenge, credentials);
    shown.request = await call("POST", path + "/proofs", proof, token);
    show(shown.request);
    say("Proved: " + shown.request.proofs + " of " + shown.request.required + ".");
  } catch (error) {
    say(error.message, true);
  }
});
