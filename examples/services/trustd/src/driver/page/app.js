import { element, fail, field, options, part, say, time } from "./dom.js";
import { Away, Refused, call, enrol, leave, me, now } from "./login.js";
import { smaller } from "./photos.js";
import { alone, drop, keep, look, send, used, vehicles, waiting } from "./queue.js";
import { t, translate } from "./words.js";

const GROUPS = [
  ["Outside", { lights: "Lights", tyres: "Tyres", mirrors_glass: "Mirrors and glass", body_load: "Body and load",
    leaks: "Leaks" }],
  ["Under the hood", { oil: "Oil", coolant: "Coolant", belts: "Belts", battery: "Battery" }],
  ["Documents", { licence: "Licence", registration: "Registration", insurance: "Insurance", tachograph: "Tachograph" }],
];
const ITEMS = Object.assign({}, ...GROUPS.map(([, names]) => names));
const WORDS = {
  PRE_TRIP_CHECK: "Inspection", BORDER_CROSSING: "Crossing", ODOMETER: "Odometer", REPAIR: "Repair", GO: "go",
  GO_WITH_WARNINGS: "go, with warnings", NO_GO: "do not go",
};
const FOUND = { ok: "In order", defect: "Defect", critical: "Dangerous" };
const AGAIN = 10_000;
const LATER = "Kept on this phone. It is sent when there is a connection.";
// The most vehicles in a list to choose from: where there are more, they are found by their plates.
const LISTED = 50;

// The thirteen items, each with how it was found, a note and photos.
function items() {
  part("items").replaceChildren(...GROUPS.map(([title, names]) => {
    const group = element("fieldset");
    group.append(element("legend", t(title)), ...Object.entries(names).map(([item, english]) => {
      const name = t(english);
      const box = element("div", "", "item");
      const found = element("select");
      options(found, [["", t("Not looked at")], ...Object.entries(FOUND).map(([value, words]) => [value, t(words)])]);
      const note = Object.assign(element("input"), { maxLength: 200, autocomplete: "off" });
      const photos = Object.assign(element("input"), { type: "file", accept: "image/*", multiple: true });
      box.append(...field(name, "found-" + item, found), ...field(name + ": " + t("note"), "note-" + item, note),
        ...field(name + ": " + t("photos"), "photos-" + item, photos));
      return box;
    }));
    return group;
  }));
}

async function begun(tip, chosen) {
  const vehicle_id = part(chosen).value;
  if (!vehicle_id) throw new Refused(t("Choose a vehicle. This phone knows none until it had a connection."));
  await used(vehicle_id);
  return { dokument_id: crypto.randomUUID(), tip, vehicle_id, vrijeme: await now() };
}

async function inspection() {
  const kilometri = part("odometer").value.trim();
  if (kilometri && !/^[0-9]{1,7}$/.test(kilometri)) throw new Refused(t("The odometer has up to seven digits."));
  const document = { ...await begun("PRE_TRIP_CHECK", "vehicle"), stavke: {} };
  const photos = [];
  for (const item of Object.keys(ITEMS)) {
    const nalaz = part("found-" + item).value;
    const napomena = part("note-" + item).value.trim();
    const { files } = part("photos-" + item);
    if (!nalaz && (napomena || files.length)) throw new Refused(t("Say how it was found: ") + t(ITEMS[item]));
    if (!nalaz) continue;
    document.stavke[item] = { nalaz, ...(napomena && { napomena }) };
    for (const file of files) photos.push({ item, bytes: await smaller(file) });
  }
  if (kilometri) document.kilometri = Number(kilometri);
  await keep(document, photos);
  return document.dokument_id;
}

async function crossing() {
  const drzava = part("state").value.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(drzava)) throw new Refused(t("A state has two letters, such as AT."));
  const document = { ...await begun("BORDER_CROSSING", "border-vehicle"), drzava };
  await keep(document, []);
  return document.dokument_id;
}

async function showWaiting() {
  const entries = await waiting();
  part("waits-none").hidden = entries.length > 0;
  if (!entries.length) part("lose").hidden = true;
  part("waits").replaceChildren(...entries.map(({ document, refused }) => {
    const line = element("li", t(WORDS[document.tip]) + ", " + time(document.vrijeme));
    if (refused) {
      const away = element("button", t("Take it away"), "plain");
      away.type = "button";
      on(away, "click", async () => {
        await drop(document.dokument_id);
        await showWaiting();
        say(t("It is taken away, and was not filed."));
      });
      line.append(element("div", refused, "verdict bad"), away);
    }
    return line;
  }));
}

const decided = (document) => t(WORDS[document.tip]) + (document.odluka ? ": " + t(WORDS[document.odluka]) : "");

async function showRecent() {
  const { items: filed } = await call("GET", "/api/v1/dok/my-recent?limit=20");
  part("recent-none").hidden = filed.length > 0;
  part("recent").replaceChildren(...filed.map((document) => {
    const line = element("li", decided(document));
    const link = Object.assign(element("a", t("Verify")), { rel: "noreferrer", href: document.provjera });
    line.append(element("div", document.registracija + ", " + time(document.vrijeme), "hint"), link);
    return line;
  }));
}

async function showVehicles() {
  const found = await vehicles();
  part("find-part").hidden = found.length <= LISTED;
  const plate = part("find").value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  const pairs = found.filter((vehicle) => vehicle.registracija.includes(plate)).slice(0, LISTED)
    .map((vehicle) => [vehicle.vehicle_id, vehicle.registracija]);
  for (const id of ["vehicle", "border-vehicle"]) {
    const chosen = part(id).value;
    options(part(id), pairs);
    if (pairs.some(([value]) => value === chosen)) part(id).value = chosen;
  }
}

// What is open of the vehicle, for whoever is about to leave with it: as far as there is a connection.
async function showDefects() {
  const vehicle_id = part("vehicle").value;
  part("defects").hidden = true;
  if (!vehicle_id || !navigator.onLine) return;
  try {
    const { items: open } = await call("GET", "/api/v1/dok/nedostaci/" + vehicle_id + "?limit=50");
    if (part("vehicle").value !== vehicle_id) return;
    part("defects").hidden = open.length === 0;
    part("defects-list").replaceChildren(...open.map((defect) =>
      element("li", t(ITEMS[defect.stavka]) + ": " + t(FOUND[defect.nalaz]) + ", " + time(defect.vrijeme))));
  } catch (error) {
    if (!(error instanceof Away) && error.status !== 404) throw error;
  }
}

// What became of what was sent: of all of it since the page was opened.
const told = new Map();
let [running, more] = [null, false];

async function sent(wished) {
  await showWaiting();
  await showVehicles();
  const outcome = await send();
  for (const [name, became] of outcome.told) told.set(name, became);
  await showWaiting();
  // What is only looked at says nothing of what was filed.
  try {
    await look(wished);
    await showVehicles();
    await showDefects();
    await showRecent();
  } catch (error) {
    if (!(error instanceof Away)) throw error;
  }
  return outcome;
}

// Sends once more where something was added meanwhile; whoever asks waits for the last of it.
function refresh(wished = false) {
  more = true;
  running ||= (async () => {
    try {
      let outcome;
      while (more) {
        more = false;
        outcome = await sent(wished);
      }
      return outcome;
    } finally {
      running = null;
    }
  })();
  return running;
}

// What was filled in is kept first, whatever the connection does, and said again when it is known what became of it.
async function file(form, work) {
  const name = await work();
  part(form).reset();
  say(t("Kept on this phone, and being sent."));
  await showWaiting();
  await refresh();
  const became = told.get(name);
  if (!became) return say(t(LATER));
  if (became.refused) throw new Refused(t("Refused: ") + became.refused);
  const { filed } = became;
  if (filed.odluka === "NO_GO") throw new Refused(t("Filed") + ": " + decided(filed));
  return say(t("Filed") + ": " + decided(filed));
}

const all = async (wished) => tell(await refresh(wished));

function tell({ told: each, away }) {
  if (away) return say(t(LATER));
  if ([...each.values()].some((became) => became.refused)) {
    throw new Refused(t("Some was refused, and stands below."));
  }
  return say(t("All is sent."));
}

// A browser that never knew that it had no connection does not say that it is back: what waits is tried by itself.
async function again() {
  if (running || document.hidden || !(await waiting()).some(({ refused }) => !refused)) return;
  const became = await refresh();
  if (!became.away) tell(became);
}

async function shown() {
  const whose = await me();
  part("enrol-part").hidden = Boolean(whose);
  for (const id of ["file-part", "border-part", "waits-part", "recent-part", "phone-part"]) part(id).hidden = !whose;
  part("whose").textContent = whose ? whose.label + " · " + whose.identity_id.slice(0, 16) : "";
  return Boolean(whose);
}

async function gone(isSure) {
  await alone(async () => {
    if (!isSure && (await waiting()).length) {
      part("lose").hidden = false;
      throw new Refused(t("Something waits to be sent, and would be lost. Send it first, or leave it behind."));
    }
    await leave();
  });
  for (const form of ["file", "border", "enrol"]) part(form).reset();
  for (const list of ["waits", "recent", "vehicle", "border-vehicle", "defects-list"]) part(list).replaceChildren();
  part("defects").hidden = part("lose").hidden = true;
  await shown();
  say(t("This phone is nobody's now."));
}

const atWork = new Set();

// Every failure in words, and whatever is pressed is done once. No button is disabled meanwhile: the keyboard would
// lose its place.
function on(pressed, event, work) {
  pressed.addEventListener(event, async (happened) => {
    happened.preventDefault();
    if (atWork.has(pressed)) return;
    atWork.add(pressed);
    pressed.setAttribute("aria-busy", "true");
    say("");
    try {
      await work();
    } catch (error) {
      failed(error);
    } finally {
      atWork.delete(pressed);
      pressed.removeAttribute("aria-busy");
    }
  });
}

function failed(error) {
  if (error.status !== 401) return fail(error);
  // Its key was removed: whoever is invited anew finds what waits.
  part("enrol-part").hidden = false;
  const words = "This phone does not count any more. Ask your office for another invitation: what waits is kept.";
  return fail(new Refused(t(words)));
}

on(part("enrol"), "submit", async () => {
  const code = part("code").value.trim();
  if (!/^[0-9a-f]{64}$/.test(code)) throw new Refused(t("An invitation is 64 characters, 0 to 9 and a to f."));
  await enrol(code, part("label").value.trim() || "phone");
  // What is kept here is to stay though the phone gets full.
  await navigator.storage?.persist?.();
  await shown();
  await refresh(true);
  say(t("This phone is yours now."));
});
on(part("file"), "submit", () => file("file", inspection));
on(part("border"), "submit", () => file("border", crossing));
on(part("send"), "click", () => all(true));
on(part("leave"), "click", () => gone(false));
on(part("lose"), "click", () => gone(true));
part("find").addEventListener("input", () => showVehicles().catch(failed));
part("vehicle").addEventListener("change", () => showDefects().catch(failed));
addEventListener("online", () => all(false).catch(failed));
setInterval(() => again().catch(failed), AGAIN);

// All files are of one release: another one waits until nothing is filled in here, which is now.
async function renewed(registration) {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  registration.waiting.postMessage("begin");
}

translate();
items();
if ("serviceWorker" in navigator) {
  const own = { createScriptURL: () => new URL("worker.js", location.href).href };
  const address = globalThis.trustedTypes ? trustedTypes.createPolicy("driver", own).createScriptURL("") : "worker.js";
  navigator.serviceWorker.register(address).then(renewed).catch(fail);
}
if (await shown()) await refresh().catch(failed);
