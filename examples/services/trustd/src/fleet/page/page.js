import { documents } from "./documents.js";
import { Refused, call } from "./service.js";

const part = (id) => document.getElementById(id);
const FLEET = "/api/v1/fleet";
const LEVELS = { violation: "Violation", critical: "Critical", warning: "Warning", ok: "In order" };
// Of a line: a piece that has no room for two letters.
const NARROW = 0.04;
const WEEK = 7 * 24 * 3600 * 1000;
let token = null;
let policy = null;
let shown = null;
let plate = null;
let next = null;
let earlier = null;
let later = null;
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
  const whole = policy.prekrsaj * 1.25;
  const away = element("span", "", vehicle.status);
  away.style.width = Math.min(100, vehicle.tjedni_odsutni / whole * 100) + "%";
  const marks = [policy.upozorenje, policy.kriticno, policy.prekrsaj].map((weeks) => {
    const mark = element("i");
    mark.style.left = weeks / whole * 100 + "%";
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
  await reports();
  part("all-documents").hidden = await documents(ask, part("documents"));
  part("no-documents").hidden = part("documents").childElementCount > 0;
}

// What people wrote that nobody has decided on: it counts when somebody takes it.
async function reports() {
  const { items } = await ask("GET", FLEET + "/reports?limit=50");
  part("no-reports").hidden = items.length > 0;
  part("reports").replaceChildren(...items.map((report) => {
    const item = element("li", time(report.vrijeme) + ": " + (report.tekst ?? "a crossing") + " ");
    const state = element("input");
    state.maxLength = 2;
    state.value = report.drzava || "";
    state.setAttribute("aria-label", "State of this report");
    item.append(state);
    for (const [name, work] of [
      ["Take it", () => taken(report, state.value.trim().toUpperCase())],
      ["Set it aside", () => decided(report, {}, "The report is set aside.")],
    ]) {
      const press = element("button", name, "plain");
      press.type = "button";
      press.addEventListener("click", () => guarded(work));
      item.append(press);
    }
    return item;
  }));
}

async function taken(report, drzava) {
  if (!shown) throw new Refused("Look at the vehicle first of which it is.");
  await decided(report, { vehicle_id: shown, drzava }, "The report is a crossing of " + plate + " now.");
}

async function decided(report, body, text) {
  await ask("POST", FLEET + "/reports/" + report.report_id, body);
  await refresh();
  if (shown) await one(shown);
  say(text);
}

// In which state it was when: a piece for each, at home in the colour of what is in order. Times are the service's.
function journey(found, vehicle) {
  const now = found.length ? Math.max(Date.now(), new Date(found[0].vrijeme)) : Date.now();
  const whole = policy.prekrsaj * 1.25 * WEEK;
  part("journey").replaceChildren(...found.flatMap(({ vrijeme, drzava }, index) => {
    const from = Math.max(0, whole - (now - new Date(vrijeme)));
    const until = index ? whole - (now - new Date(found[index - 1].vrijeme)) : whole;
    if (until <= from) return [];
    const name = (until - from) / whole > NARROW ? drzava : "";
    const piece = element("span", name, drzava === vehicle.maticna_drzava ? "ok" : "abroad");
    piece.style.left = from / whole * 100 + "%";
    piece.style.width = (until - from) / whole * 100 + "%";
    piece.title = "in " + drzava + " since " + day(vrijeme);
    return [piece];
  }));
  part("journey-hint").textContent = "The last " + policy.prekrsaj * 1.25 + " weeks, until now.";
}

const WHO = { ured: "the office", poruka: "a message", vozac: "the driver" };

async function one(vehicle_id) {
  const vehicle = await ask("GET", FLEET + "/status/" + vehicle_id);
  shown = vehicle_id;
  plate = vehicle.registracija;
  part("one-title").textContent = vehicle.registracija;
  part("clock").replaceChildren(element("span", LEVELS[vehicle.status], "level " + vehicle.status),
    " " + (vehicle.odsutno_od ? vehicle.tjedni_odsutni + " weeks away" : "at home"));
  part("crossings").replaceChildren();
  journey(await crossings(), vehicle);
  part("one").hidden = false;
  await defects();
  part("one-title").focus();
}

async function crossings(after) {
  const query = new URLSearchParams(after ? { limit: 50, after } : { limit: 50 });
  const found = await ask("GET", FLEET + "/crossings/" + shown + "?" + query);
  part("crossings").append(...found.items.map((crossing) => {
    const { vrijeme, drzava, izvor } = crossing;
    const item = element("li", time(vrijeme) + ": into " + drzava + ", by " + (WHO[izvor] || izvor) + " ");
    const back = element("button", "Take back", "plain");
    back.type = "button";
    back.addEventListener("click", () => guarded(() => taken_back(crossing)));
    item.append(back);
    return item;
  }));
  earlier = found.next;
  part("more-crossings").hidden = !earlier;
  return found.items;
}

async function taken_back({ crossing_id }) {
  const razlog = value("reason");
  if (!razlog) throw new Refused("Say first why it is taken back.");
  await ask("POST", FLEET + "/border-crossing/" + crossing_id + "/povuci", { razlog });
  part("reason").value = "";
  await refresh();
  await one(shown);
  say("The crossing is taken back.");
}

// Those that wait for a repair; a token without the scope of drivers sees none.
async function defects(after) {
  let found = { items: [], next: null };
  try {
    const query = new URLSearchParams(after ? { limit: 100, after } : { limit: 100 });
    found = await ask("GET", "/api/v1/dok/nedostaci/" + shown + "?" + query);
  } catch (error) {
    if (error.code !== "scope-missing") throw error;
  }
  const { items } = found;
  later = found.next;
  part("more-defects").hidden = !later;
  if (!after) part("defects").replaceChildren();
  part("no-defects").hidden = items.length > 0 || Boolean(after);
  part("defects").append(...items.map((defect) => {
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
  token = shown = plate = next = earlier = later = null;
  const lists = ["vehicles", "levels", "journey", "crossings", "defects", "clock", "reports", "documents"];
  for (const id of lists) part(id).replaceChildren();
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
  const body = { vehicle_id: shown, drzava: value("entered-state").toUpperCase() };
  if (value("entered-at")) body.vrijeme = new Date(value("entered-at")).toISOString();
  await ask("POST", FLEET + "/border-crossing", body);
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
press("more-crossings", () => crossings(earlier));
press("more-defects", () => defects(later));
press("again", async () => { await refresh(); say("This is how the fleet stands now."); });
press("leave", () => { forget(); say("Your token is forgotten."); part("token").focus(); });
addEventListener("pagehide", forget);
