// The login: a key that this browser made and nobody reads, and tokens for it, which stand in memory alone.

import { get, put } from "./kept.js";

// A failure in words, with the status and the code of the service's where it has them.
export class Refused extends Error {
  constructor(words, status, code) {
    super(words);
    Object.assign(this, { status, code });
  }
}

// There is no connection, or the service has too much to do: what waits goes on waiting.
export class Away extends Error {}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
let token = null;

async function asked(method, path, { body, bytes, bearer }) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (bytes !== undefined) headers["Content-Type"] = "application/octet-stream";
  if (bearer) headers.Authorization = "Bearer " + bearer;
  const options = { method, headers, redirect: "error", credentials: "omit", cache: "no-store" };
  if (body !== undefined) options.body = JSON.stringify(body);
  if (bytes !== undefined) options.body = bytes;
  let answer, text;
  try {
    answer = await fetch(path, options);
    text = await answer.text();
  } catch {
    throw new Away("The service cannot be reached.");
  }
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch {
    throw new Away("What answered is not the service: status " + answer.status + ".");
  }
  if (answer.ok) return json;
  const fields = (json.errors || []).map((field) => field.detail).join("; ");
  const words = [json.title, json.detail, fields].filter(Boolean).join(": ") || "Status " + answer.status + ".";
  if (answer.status === 429 || answer.status >= 500) throw new Away(words);
  throw new Refused(words, answer.status, json.code);
}

// Enrols this browser. The key is kept before it is enrolled: one that nobody has is of no use.
export async function enrol(invitation, label) {
  if (!crypto.subtle) throw new Refused("Browsers offer this by https only: open this page at the service's own address.");
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  await put("login", "pair", pair);
  const public_key = hex(await crypto.subtle.exportKey("raw", pair.publicKey));
  const body = { invitation, public_key, label };
  const { key_id, identity_id } = await asked("POST", "/api/v1/auth/enrol", { body });
  await put("login", "me", { key_id, identity_id });
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
