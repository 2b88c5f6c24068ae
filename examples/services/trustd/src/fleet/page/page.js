import { Refused, call } from "./service.js";

const part = (id) => document.getElementById(id);
const FLEET = "/api/v1/fleet";
const LEVELS = { violation: "Violation", critical: "Critical", warning: "Warning", ok: "In order" };
// So many weeks a line has.
const WEEKS = 10;
let token = null;
let policy = null;
let shown = null;
let next = null;
let busy = false;

const ask = (method, path, body) => call(method, path, body, token);
const day = (text) => new Date(text).toLocaleDateString(undefined, { dateStyle: "medium" });
const time = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

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
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// How long it is away, against the weeks of the policy.
function line(vehicle) {
  const box = element("div", "", "line");
  const away = element("span", "", vehicle.status);
  away.style.width = Math.min(100, vehicle.tjedni_odsutni / WEEKS * 100) + "%";
  const marks = [policy.upozorenje, policy.kriticno, policy.prekrsaj].map((weeks) => {
    const mark = element("i");
    mark.style.left = weeks / WEEKS * 100 + "%";
    return mark;
  });
  box.append(away, ...marks);
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", vehicle.tjedni_odsutni + " weeks away");
  return box;
}

function row(vehicle) {
  const item = element("li");
  const columns = element("div", "", "row");
  const look = element("button", "Look", "plain");
  look.type = "button";
  look.setAttribute("aria-label", "Look at " + vehicle.registracija);
  look.addEventListener("click", () => guarded(() => one(vehicle.vehicle_id)));
  const level = element("span", LEVELS[vehicle.status], "level " + vehicle.status);
  columns.append(element("strong", vehicle.registracija), level, line(vehicle), look);
  const since = vehicle.odsutno_od ? vehicle.tjedni_odsutni + " weeks away, since " + day(vehicle.odsutno_od)
    : "at home in " + vehicle.maticna_drzava;
  const later = vehicle.sljedeca_razina ? "; next level on " + day(vehicle.sljedeca_razina) : "";
  item.append(columns, element("p", since + later, "hint"));
  return item;
}

async function page(after) {
  const found = await ask("GET", FLEET + "/fleet-overview?" + new URLSearchParams(after ? { after } : {}));
  part("vehicles").append(...found.items.map(row));
  next = found.next;
  part("more").hidden = !next;
}

async function refresh() {
  policy ||= await ask("GET", FLEET + "/policy");
  part("policy").textContent = "Warning from " + policy.upozorenje + " weeks, critical from " + policy.kriticno +
    ", violation after " + policy.prekrsaj + ". " + policy.osnova;
  const counts = await ask("GET", FLEET + "/levels");
  part("levels").replaceChildren(...Object.entries(LEVELS).map(([level, name]) => {
    const item = element("li", "", level);
    item.append(element("strong", String(counts[level])), name);
    return item;
  }));
  part("vehicles").replaceChildren();
  await page();
  part("nothing").hidden = part("vehicles").childElementCount > 0;
}

const WHO = { ured: "the office", poruka: "a message", vozac: "the driver" };

async function one(vehicle_id) {
  const vehicle = await ask("GET", FLEET + "/status/" + vehicle_id);
  const { items } = await ask("GET", FLEET + "/crossings/" + vehicle_id + "?limit=50");
  shown = vehicle_id;
  part("one-title").textContent = vehicle.registracija;
  part("clock").replaceChildren(element("span", LEVELS[vehicle.status], "level " + vehicle.status),
    " " + (vehicle.odsutno_od ? vehicle.tjedni_odsutni + " weeks away" : "at home"));
  part("crossings").replaceChildren(...items.map(({ vrijeme, drzava, izvor }) =>
    element("li", time(vrijeme) + ": into " + drzava + ", by " + (WHO[izvor] || izvor))));
  part("one").hidden = false;
  await defects();
  part("one-title").focus();
}

// Those that wait for a repair; a token without the scope of drivers sees none.
async function defects() {
  let items = [];
  try {
    items = (await ask("GET", "/api/v1/dok/nedostaci/" + shown + "?limit=100")).items;
  } catch (error) {
    if (error.code !== "scope-missing") throw error;
  }
  part("no-defects").hidden = items.length > 0;
  part("defects").replaceChildren(...items.map((defect) => {
    const item = element("li", defect.stavka + ": " + defect.nalaz + ", found " + time(defect.vrijeme) + " ");
    const sign = element("button", "Sign off the repair", "plain");
    sign.type = "button";
    sign.addEventListener("click", () => guarded(() => repaired(defect)));
    item.append(sign);
    return item;
  }));
}

async function repaired(defect) {
  const body = { dokument_id: crypto.randomUUID(), tip: "REPAIR", vehicle_id: shown, vrijeme: new Date().toISOString(),
    popravljeno: [defect.nedostatak_id] };
  await ask("POST", "/api/v1/dok/create", body);
  await defects();
  say("The repair is signed off.");
}

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

const press = (id, work) => part(id).addEventListener("click", () => guarded(work));
const value = (id) => part(id).value.trim();

function forget() {
  token = shown = next = null;
  for (const id of ["vehicles", "levels", "crossings", "defects", "clock"]) part(id).replaceChildren();
  for (const id of ["enter", "vehicle", "person", "cross"]) part(id).reset();
  part("entered").hidden = part("one").hidden = true;
  part("enter").hidden = false;
}

on("enter", async () => {
  token = value("token");
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw new Refused("That is no token: paste all of what you were given.");
  await refresh();
  part("enter").reset();
  part("enter").hidden = true;
  part("entered").hidden = false;
  part("vehicles-title").focus();
});
on("cross", async () => {
  const drzava = value("entered-state").toUpperCase();
  await ask("POST", FLEET + "/border-crossing", { vehicle_id: shown, drzava });
  part("cross").reset();
  await refresh();
  await one(shown);
  say("The crossing is recorded.");
});
on("vehicle", async () => {
  const maticna_drzava = value("home").toUpperCase();
  const body = { registracija: value("plate"), maticna_drzava, vlasnik_id: value("owner") };
  await ask("POST", FLEET + "/vehicles", body);
  part("vehicle").reset();
  await refresh();
  say("The vehicle is added.");
});
on("person", async () => {
  const body = { name: value("name"), phone: value("phone"), language: value("language") };
  if (value("identity")) body.identity_id = value("identity");
  await ask("POST", "/api/v1/messaging/contacts", body);
  part("person").reset();
  say("The person is added.");
});
press("more", () => page(next));
press("again", async () => { await refresh(); say("This is how the fleet stands now."); });
press("leave", () => { forget(); say("Your token is forgotten."); part("token").focus(); });
addEventListener("pagehide", forget);
