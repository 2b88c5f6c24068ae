import { Away, Refused, call, enrol, me } from "./login.js";
import { smaller } from "./photos.js";
import { drop, keep, look, send, vehicles, waiting } from "./queue.js";

const part = (id) => document.getElementById(id);
const GROUPS = [
  ["Outside", { lights: "Lights", tyres: "Tyres", mirrors_glass: "Mirrors and glass", body_load: "Body and load",
    leaks: "Leaks" }],
  ["Under the hood", { oil: "Oil", coolant: "Coolant", belts: "Belts", battery: "Battery" }],
  ["Documents", { licence: "Licence", registration: "Registration", insurance: "Insurance", tachograph: "Tachograph" }],
];
const WORDS = {
  PRE_TRIP_CHECK: "Inspection", BORDER_CROSSING: "Crossing", ODOMETER: "Odometer", REPAIR: "Repair", GO: "go",
  GO_WITH_WARNINGS: "go, with warnings", NO_GO: "do not go",
};
const FOUND = { ok: "In order", defect: "Defect", critical: "Dangerous" };
let busy = false;

function say(text) {
  part("failed").textContent = "";
  part("said").textContent = text;
}

function fail(error) {
  part("said").textContent = "";
  part("failed").textContent = error.message;
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const time = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

function field(label, id, input) {
  const named = element("label", label);
  named.htmlFor = input.id = id;
  return [named, input];
}

function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => Object.assign(element("option", text), { value })));
}

// The thirteen items, each with how it was found, a note and photos.
function items() {
  part("items").replaceChildren(...GROUPS.map(([title, names]) => {
    const group = element("fieldset");
    group.append(element("legend", title), ...Object.entries(names).map(([item, name]) => {
      const box = element("div", "", "item");
      const found = element("select");
      options(found, [["", "Not looked at"], ...Object.entries(FOUND)]);
      const note = Object.assign(element("input"), { maxLength: 200, autocomplete: "off" });
      const photos = Object.assign(element("input"), { type: "file", accept: "image/*", multiple: true });
      box.append(...field(name, "found-" + item, found), ...field(name + ": note", "note-" + item, note),
        ...field(name + ": photos", "photos-" + item, photos));
      return box;
    }));
    return group;
  }));
}

const now = () => new Date().toISOString();

async function inspection() {
  const stavke = {};
  const photos = [];
  const dokument_id = crypto.randomUUID();
  for (const item of GROUPS.flatMap(([, names]) => Object.keys(names))) {
    const nalaz = part("found-" + item).value;
    if (!nalaz) continue;
    const napomena = part("note-" + item).value.trim();
    stavke[item] = { nalaz, ...(napomena && { napomena }) };
    for (const file of part("photos-" + item).files) {
      photos.push({ key: crypto.randomUUID(), item, bytes: await smaller(file) });
    }
  }
  const kilometri = part("odometer").value.trim();
  if (kilometri && !/^[0-9]{1,7}$/.test(kilometri)) throw new Refused("The odometer has up to seven digits.");
  const document = { dokument_id, tip: "PRE_TRIP_CHECK", vehicle_id: part("vehicle").value, vrijeme: now(), stavke };
  if (kilometri) document.kilometri = Number(kilometri);
  await keep(document, photos);
}

async function crossing() {
  const drzava = part("state").value.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(drzava)) throw new Refused("A state has two letters, such as AT.");
  const vehicle_id = part("border-vehicle").value;
  await keep({ dokument_id: crypto.randomUUID(), tip: "BORDER_CROSSING", vehicle_id, vrijeme: now(), drzava }, []);
}

async function showWaiting() {
  const entries = await waiting();
  part("waits-none").hidden = entries.length > 0;
  part("waits").replaceChildren(...entries.map(({ document, refused }) => {
    const line = element("li", WORDS[document.tip] + ", " + time(document.vrijeme));
    if (refused) {
      const away = element("button", "Take it away", "plain");
      away.type = "button";
      away.addEventListener("click", () => guarded(async () => {
        await drop(document.dokument_id);
        await showWaiting();
        say("It is taken away, and was not filed.");
      }));
      line.append(element("div", refused, "verdict bad"), away);
    }
    return line;
  }));
}

async function showRecent() {
  const { items: filed } = await call("GET", "/api/v1/dok/my-recent?limit=20");
  part("recent-none").hidden = filed.length > 0;
  part("recent").replaceChildren(...filed.map((document) => {
    const decided = document.odluka ? ": " + WORDS[document.odluka] : "";
    const line = element("li", WORDS[document.tip] + decided);
    const link = Object.assign(element("a", "Verify"), { rel: "noreferrer", href: document.provjera });
    line.append(element("div", document.registracija + ", " + time(document.vrijeme), "hint"), link);
    return line;
  }));
}

function showVehicles(found) {
  const pairs = found.map((vehicle) => [vehicle.vehicle_id, vehicle.registracija]);
  for (const id of ["vehicle", "border-vehicle"]) {
    const chosen = part(id).value;
    options(part(id), pairs);
    if (pairs.some(([value]) => value === chosen)) part(id).value = chosen;
  }
}

// Sends what waits, and shows what became of it. Without a connection what is kept is shown.
async function refresh() {
  await showWaiting();
  showVehicles(await vehicles());
  try {
    const count = await send();
    showVehicles(await look());
    await showRecent();
    return count;
  } finally {
    await showWaiting();
  }
}

async function shown() {
  const known = Boolean(await me());
  part("enrol-part").hidden = known;
  for (const id of ["file-part", "border-part", "waits-part", "recent-part"]) part(id).hidden = !known;
  return known;
}

// One thing at a time, and every failure in words.
async function guarded(work) {
  if (busy) return;
  busy = true;
  say("");
  try {
    await work();
  } catch (error) {
    fail(error);
  } finally {
    busy = false;
  }
}

function on(id, work) {
  part(id).addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(work);
  });
}

async function filed(words) {
  try {
    await refresh();
    say(words);
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    say("Kept on this phone. It is sent when there is a connection.");
  }
}

on("enrol", async () => {
  const code = part("code").value.trim();
  if (!/^[0-9a-f]{64}$/.test(code)) throw new Refused("An invitation is 64 characters, 0 to 9 and a to f.");
  await enrol(code, part("label").value.trim() || "phone");
  await shown();
  await refresh();
  say("This phone is yours now.");
});
on("file", async () => {
  await inspection();
  part("file").reset();
  await filed("The inspection is filed.");
});
on("border", async () => {
  await crossing();
  part("border").reset();
  await filed("The crossing is filed.");
});
part("send").addEventListener("click", () => guarded(() => filed("All is sent.")));
addEventListener("online", () => guarded(() => filed("All is sent.")));

items();
if ("serviceWorker" in navigator) {
  const own = { createScriptURL: () => new URL("worker.js", location.href).href };
  const address = globalThis.trustedTypes ? trustedTypes.createPolicy("driver", own).createScriptURL("") : "worker.js";
  navigator.serviceWorker.register(address).catch(fail);
}
if (await shown()) await guarded(() => filed(""));
