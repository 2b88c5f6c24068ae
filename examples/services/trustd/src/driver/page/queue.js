// What waits to be sent. Each document has a name that was drawn when it was filled in, and each photo is what its bytes
// are: whatever is sent twice is there once.

import { all, change, get, put } from "./kept.js";
import { Away, Busy, call, me } from "./login.js";
import { sha256 } from "./photos.js";

// Keeps a document with its photos, in one change, for the driver whose phone this is now. Photos are found by the order
// of their keys, and are sent and named in the one in which they were taken.
export async function keep(document, photos) {
  const { identity_id } = await me();
  const { dokument_id } = document;
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const [place, { item, bytes }] of photos.entries()) {
      const key = dokument_id + "-" + String(place).padStart(4, "0");
      stored.put({ key, item, bytes, dokument_id }, key);
    }
    return documents.put({ document, identity_id, refused: null }, dokument_id);
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

// Sends the photos, and the document that names them.
async function tried(document, photos) {
  const named = [];
  for (const photo of photos) named.push(await sent(photo));
  const filled = structuredClone(document);
  for (const photo of named) (filled.stavke[photo.item].fotografije ||= []).push(photo.identity_id);
  return call("POST", "/api/v1/dok/create", { body: filled });
}

async function one({ document }) {
  let photos = await photosOf(document.dokument_id);
  let filed;
  try {
    filed = await tried(document, photos);
  } catch (error) {
    if (!photos.length || !error.fields?.some((field) => field.pointer === "/stavke")) throw error;
    // The service keeps photos without a document for a time: after that they are sent anew, from here.
    photos = photos.map((photo) => ({ ...photo, identity_id: null }));
    filed = await tried(document, photos);
  }
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const photo of photos) stored.delete(photo.key);
    documents.delete(document.dokument_id);
  });
  return filed;
}

// Sends what waits, the oldest first; one window of the browser does at a time. What the service refuses stays, with
// its words. Says what became of each that was tried, and why the others were not.
export function send() {
  return alone(async () => {
    const [told, who] = [new Map(), await me()];
    const his = (await waiting()).filter((entry) => entry.identity_id === who.identity_id);
    let away = null;
    for (const entry of his.sort((a, b) => (a.document.vrijeme < b.document.vrijeme ? -1 : 1))) {
      const name = entry.document.dokument_id;
      try {
        told.set(name, { filed: await one(entry) });
      } catch (error) {
        if (error.status === 401) throw error;
        if (error instanceof Away) {
          away = error;
          // One that the service fails at keeps no other from it.
          if (error instanceof Busy && error.status !== 429) continue;
          break;
        }
        told.set(name, { refused: error.message });
        await put("documents", name, { ...entry, refused: error.message });
      }
    }
    return { told, away };
  });
}

// While nothing is sent, here or in another window.
export const alone = (work) => navigator.locks.request("driver-queue", work);

// Takes what was refused away, with its photos.
export async function drop(dokument_id) {
  const photos = await photosOf(dokument_id);
  await change(["documents", "photos"], "readwrite", (documents, stored) => {
    for (const photo of photos) stored.delete(photo.key);
    return documents.delete(dokument_id);
  });
}

const NOTHING = { at: 0, found: [], used: [] };
// For so long what was seen is good enough.
const DAY = 86_400_000;

// The vehicles that were seen last, those that were used first.
export async function vehicles() {
  const { found, used } = (await get("vehicles", "seen")) || NOTHING;
  const last = used.map((id) => found.find((vehicle) => vehicle.vehicle_id === id)).filter(Boolean);
  return [...last, ...found.filter((vehicle) => !used.includes(vehicle.vehicle_id))];
}

export async function used(vehicle_id) {
  const seen = (await get("vehicles", "seen")) || NOTHING;
  const used = [vehicle_id, ...seen.used.filter((id) => id !== vehicle_id)].slice(0, 5);
  await put("vehicles", "seen", { ...seen, used });
}

// Asks which vehicles there are, once a day or when that is wished.
export async function look(wished) {
  const seen = (await get("vehicles", "seen")) || NOTHING;
  if (!wished && seen.found.length && Math.abs(Date.now() - seen.at) < DAY) return;
  const found = [];
  let after = "";
  do {
    const query = new URLSearchParams({ limit: "200", ...(after && { after }) });
    const page = await call("GET", "/api/v1/dok/vozila?" + query);
    found.push(...page.items);
    after = page.next;
  } while (after);
  await put("vehicles", "seen", { ...seen, at: Date.now(), found });
}
