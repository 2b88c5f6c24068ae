// What waits to be sent. Each document has a name that was drawn when it was filled in, and each photo is what its bytes
// are: whatever is sent twice is there once.

import { all, change, get, put } from "./kept.js";
import { Away, call } from "./login.js";
import { sha256 } from "./photos.js";

// Keeps a document with its photos, in one change.
export async function keep(document, photos) {
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const { key, item, bytes } of photos) {
      stored.put({ key, item, bytes, dokument_id: document.dokument_id }, key);
    }
    return documents.put({ document, refused: null }, document.dokument_id);
  });
}

export const waiting = () => all("documents");

async function photosOf(dokument_id) {
  return (await all("photos")).filter((photo) => photo.dokument_id === dokument_id);
}

// A photo that was sent has the identity that the service gave it.
async function sent(photo) {
  if (photo.identity_id) return photo;
  const hash = await sha256(photo.bytes);
  const query = new URLSearchParams({ dokument_id: photo.dokument_id, sha256: hash });
  const made = await call("POST", "/api/v1/photos/upload?" + query, { bytes: photo.bytes });
  if (made.sha256 !== hash) throw new Away("The service says that it got another photo.");
  const done = { ...photo, identity_id: made.identity_id };
  await put("photos", photo.key, done);
  return done;
}

async function one({ document }) {
  const photos = [];
  for (const photo of await photosOf(document.dokument_id)) photos.push(await sent(photo));
  const filled = structuredClone(document);
  for (const photo of photos) (filled.stavke[photo.item].fotografije ||= []).push(photo.identity_id);
  await call("POST", "/api/v1/dok/create", { body: filled });
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const photo of photos) stored.delete(photo.key);
    documents.delete(document.dokument_id);
  });
}

// Sends what waits, the oldest first; one window of the browser does at a time. What the service refuses stays, with
// its words. Says how many were sent.
export function send() {
  return navigator.locks.request("driver-queue", async () => {
    let count = 0;
    const entries = (await waiting()).sort((a, b) => (a.document.vrijeme < b.document.vrijeme ? -1 : 1));
    for (const entry of entries) {
      try {
        await one(entry);
        count += 1;
      } catch (error) {
        if (error instanceof Away || error.status === 401) throw error;
        await put("documents", entry.document.dokument_id, { ...entry, refused: error.message });
      }
    }
    return count;
  });
}

// Takes what was refused away, with its photos.
export async function drop(dokument_id) {
  const photos = await photosOf(dokument_id);
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const photo of photos) stored.delete(photo.key);
    return documents.delete(dokument_id);
  });
}

export const vehicles = async () => (await get("vehicles", "seen")) || [];

// The vehicles, as the service has them now.
export async function look() {
  const found = [];
  let after = "";
  do {
    const query = new URLSearchParams({ limit: "200", ...(after && { after }) });
    const page = await call("GET", "/api/v1/dok/vozila?" + query);
    found.push(...page.items);
    after = page.next;
  } while (after);
  await put("vehicles", "seen", found);
  return found;
}
