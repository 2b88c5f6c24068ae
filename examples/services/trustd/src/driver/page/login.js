// The login: a key that this browser made and nobody reads, and tokens for it, which stand in memory alone.

import { change, clear, get, put } from "./kept.js";

// A failure in words, with the status, the code and the fields of the service's where it has them.
export class Refused extends Error {
  constructor(words, { status, code, fields = [] } = {}) {
    super(words);
    Object.assign(this, { status, code, fields });
  }
}

// There is no connection: what waits goes on waiting.
export class Away extends Error {}

// The service answers that it cannot now.
export class Busy extends Away {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

// A line that is slower than this, in bytes a millisecond, is none; neither is one that is silent so long.
const SLOWEST = 8;
const SILENT = 30_000;
// A clock that is wrong by less is right.
const APART = 60_000;

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
let token = null;
let ahead = null;

// How far the service's clock is ahead of this phone's, as its last answer said: a phone's may be hours wrong.
async function compared(answer) {
  const apart = Date.parse(answer.headers.get("Date")) - Date.now();
  const found = Math.abs(apart) > APART ? apart : 0;
  if (Number.isNaN(apart) || Math.abs(found - (ahead ?? APART + found)) < APART) return;
  ahead = found;
  await put("login", "ahead", found);
}

export async function now() {
  ahead ??= (await get("login", "ahead")) ?? 0;
  return new Date(Date.now() + ahead).toISOString();
}

async function asked(method, path, { body, bytes, bearer }) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (bytes !== undefined) headers["Content-Type"] = "application/octet-stream";
  if (bearer) headers.Authorization = "Bearer " + bearer;
  const options = { method, headers, redirect: "error", credentials: "omit", cache: "no-store" };
  options.signal = AbortSignal.timeout(SILENT + (bytes ? bytes.byteLength / SLOWEST : 0));
  if (body !== undefined) options.body = JSON.stringify(body);
  if (bytes !== undefined) options.body = bytes;
  let answer, text;
  try {
    answer = await fetch(path, options);
    text = await answer.text();
  } catch {
    throw new Away("The service cannot be reached.");
  }
  await compared(answer);
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch {
    throw new Busy("What answered is not the service: status " + answer.status + ".", answer.status);
  }
  if (answer.ok) return json;
  const fields = json.errors || [];
  const words = [json.title, json.detail, fields.map((field) => field.detail).join("; ")].filter(Boolean).join(": ");
  const said = words || "Status " + answer.status + ".";
  if (answer.status === 429 || answer.status >= 500) throw new Busy(said, answer.status);
  throw new Refused(said, { status: answer.status, code: json.code, fields });
}

// Enrols this browser. A key is kept in the place of another when it counts, together with whose it is: whoever mistypes
// an invitation keeps the one that he has. Where the answer does not come the same key is tried again with the invitation:
// the service says of one that it enrolled by it what it said before.
export async function enrol(invitation, label) {
  const open = "Browsers offer this by https only: open this page at the service's own address.";
  if (!crypto.subtle) throw new Refused(open);
  const by = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(invitation)));
  const tried = await get("login", "tried");
  const pair = tried?.by === by ? tried.pair : await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  await put("login", "tried", { by, pair });
  const public_key = hex(await crypto.subtle.exportKey("raw", pair.publicKey));
  const body = { invitation, public_key, label };
  const { key_id, identity_id } = await asked("POST", "/api/v1/auth/enrol", { body });
  await change(["login"], "readwrite", (login) => {
    login.put(pair, "pair");
    login.delete("tried");
    return login.put({ key_id, identity_id, label }, "me");
  });
  token = null;
}

// Forgets the key, which nobody else has, and everything that was kept for its driver.
export async function leave() {
  token = null;
  await clear();
}

export const me = () => get("login", "me");

async function renewed() {
  const [{ key_id, identity_id }, pair] = [await me(), await get("login", "pair")];
  const begun = await asked("POST", "/api/v1/auth/challenge", { body: { identity_id } });
  const said = [begun.domain + "-PRESENCE", "LOGIN", begun.audience, identity_id, "noble", begun.nonce, begun.expiry,
    begun.domain].join("::");
  const signature = hex(await crypto.subtle.sign("Ed25519", pair.privateKey, new TextEncoder().encode(said)));
  const body = { identity_id, key_id, tier: "noble", nonce: begun.nonce, expiry: begun.expiry, signature };
  const made = await asked("POST", "/api/v1/auth/token", { body });
  token = made.access_token;
}

// Asks as whoever enrolled; a token that is over is renewed once.
export async function call(method, path, options = {}) {
  if (!token) await renewed();
  try {
    return await asked(method, path, { ...options, bearer: token });
  } catch (error) {
    if (error.status !== 401) throw error;
    await renewed();
    return asked(method, path, { ...options, bearer: token });
  }
}
