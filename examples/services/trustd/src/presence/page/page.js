import { REFUSALS, enrol, prove, unbase64url, vouch } from "./device.js";
import { Refused, call, told } from "./service.js";

const part = (id) => document.getElementById(id);
// What the page knows of whoever entered. It stands nowhere else, and is forgotten when the page is left.
let entered = null;
// The request that is looked at, as it was shown, and what became of it since.
let shown = null;
let busy = false;

// As whoever entered.
const ask = (method, path, body) => call(method, path, body, entered.token);

function say(text) {
  part("failed").textContent = "";
  part("said").textContent = text;
}

function fail(error) {
  const unknown = "That did not work: " + error.message;
  part("said").textContent = "";
  part("failed").textContent = error instanceof DOMException ? REFUSALS[error.name] || unknown : error.message;
}

const groups = (name) => (name.match(/.{1,4}/g) || []).join(" ");
const time = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// Lines of a name, a value, and "code" where it is one that people compare.
function list(id, lines) {
  part(id).replaceChildren(...lines.flatMap(([name, value, kind]) => [
    element("dt", name), element("dd", kind === "code" ? groups(value) : String(value), kind),
  ]));
}

const WHAT = {
  rebuild: "Open this document, once, for whoever asks",
  refresh: "Deal the secret of this document anew, among other nodes",
  rethreshold: "Deal the secret of this document anew, in other numbers",
};
// What the service says of an invitation, where it is not yet one, or not any more.
const INVITATIONS = {
  "request-closed": "This invitation is not known, was used, or is over: ask for another.",
  conflict: "This invitation needs a second person's word, which is not given yet.",
};

const what = (request) => WHAT[request.request.op] || request.request.op;

const STATES = {
  open: "It waits for approval", approved: "Approved: the nodes release their shards",
  used: "Done: what was asked for was given", expired: "Over",
};

// What a document is said to be; a request is shown without it all the same.
async function documentOf(vault_id) {
  try {
    const vault = await ask("GET", "/api/v1/vault/" + vault_id);
    return vault.type + ", sealed " + time(vault.created_at);
  } catch {
    return "not known";
  }
}

function facts(request, kind) {
  const { arguments: to, request: asked } = request;
  const lines = [["What", what(request)], ["Document", kind], ["Vault", asked.vault_id, "code"]];
  if (to.m) lines.push(["New numbers", to.m + " of " + to.n + " shards are to rebuild it"]);
  if (to.node_urls) lines.push(["New nodes", to.node_urls.join("\n")]);
  const own = request.opener === asked.identity_id ? " (the owner)" : "";
  lines.push(
    ["Whose it is", asked.identity_id, "code"], ["Who asks" + own, request.opener, "code"],
    ["Who receives the shards, by the fingerprint of its key", asked.primatelj, "code"],
    ["Shards that may take part", asked.shard_ids.length], ["Asked", time(request.opened)],
    ["Ends", time(request.expiry)], ["Challenge", request.challenge, "code"],
  );
  return lines;
}

function progress(request) {
  const left = Date.parse(request.expiry) - Date.now();
  const lasts = ["open", "approved"].includes(request.state) && left > 0;
  const open = lasts && request.state === "open";
  const lines = [
    ["State", STATES[lasts || request.state === "used" ? request.state : "expired"]],
    ["Time left", lasts ? Math.floor(left / 60000) + " min " + Math.floor(left / 1000) % 60 + " s" : "none"],
    ["Devices that approved", request.proofs + " of " + request.required],
    ["Shards that were given", request.shards.length + " of " + request.request.shard_ids.length],
  ];
  const bad = request.shards.filter((shard) => !shard.holds).map((shard) => shard.node_url);
  if (bad.length) lines.push(["Nodes whose shard does not hold", bad.join("\n")]);
  list("progress", lines);
  part("approve").hidden = part("decline").hidden = !open;
}

async function look(request) {
  shown = { request, latest: request };
  list("facts", facts(request, await documentOf(request.request.vault_id)));
  progress(request);
  part("asked").hidden = false;
  part("asked-title").focus();
}

function close() {
  shown = null;
  part("asked").hidden = true;
}

// Follows the request that is looked at, as long as something may become of it.
async function follow() {
  const looked = shown;
  if (!looked || ["used", "expired"].includes(looked.latest.state)) return;
  try {
    looked.latest = await ask("GET", "/api/v1/qt/requests/" + looked.request.request_id);
    if (shown === looked) progress(looked.latest);
  } catch (error) {
    if (shown !== looked) return;
    close();
    fail(error);
  }
}

async function refresh() {
  const waiting = (await ask("GET", "/api/v1/qt/requests/open")).items;
  part("nothing").hidden = waiting.length > 0;
  part("waiting").replaceChildren(...waiting.map((request) => {
    const item = document.createElement("li");
    const button = element("button", "Look at it", "plain");
    button.type = "button";
    button.addEventListener("click", () => guarded(() => look(request)));
    const vault = element("code", groups(request.request.vault_id.slice(0, 16)) + " …");
    const until = element("div", "Until " + time(request.expiry));
    item.append(element("div", what(request)), "Vault ", vault, until, button);
    return item;
  }));
  const devices = await known(entered.identity);
  part("none").hidden = devices.length > 0;
  part("further").hidden = devices.length === 0;
  part("devices").replaceChildren(...devices.map((one) => {
    const item = document.createElement("li");
    const name = element("strong", one.label);
    name.dir = "auto";
    const when = Date.parse(one.counts_from) > Date.now() ? "Counts from " : "Counts since ";
    item.append(name, element("div", one.kind === "webauthn" ? "Asks who uses it" : "A key that a browser keeps"),
      element("div", when + time(one.counts_from)));
    return item;
  }));
}

const known = async (identity) =>
  (await ask("GET", "/api/v1/presence/authenticators?identity_id=" + encodeURIComponent(identity))).items;

function forget() {
  entered = null;
  close();
  for (const id of ["waiting", "devices", "facts", "progress", "enrolled"]) part(id).replaceChildren();
  for (const id of ["who", "invitation"]) part(id).textContent = "";
  for (const id of ["entered", "invited", "enrolled"]) part(id).hidden = true;
  part("enter").hidden = false;
  part("enter").reset();
  part("enrol").reset();
}

// One thing at a time, and every failure in words. No button is disabled meanwhile: the keyboard would lose its place.
async function guarded(work) {
  if (busy) return;
  busy = true;
  say("");
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    fail(error);
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

function on(id, work) {
  part(id).addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(work);
  });
}

// What somebody pasted, or words on what is wrong with it at its field.
function field(id, pattern, words) {
  const input = part(id);
  const value = input.value.trim();
  const fits = pattern.test(value);
  input.setAttribute("aria-invalid", String(!fits));
  if (fits) return value;
  input.focus();
  throw new Refused(words);
}

on("enter", async () => {
  const token = field("token", /^[\w-]+\.[\w-]+\.[\w-]+$/, "That is no token: paste all of what you were given.");
  try {
    const identity = JSON.parse(new TextDecoder().decode(unbase64url(token.split(".")[1]))).sub;
    entered = { token, identity };
    await refresh();
  } catch (error) {
    forget();
    throw error instanceof Refused ? error : new Refused("That is no token: paste all of what you were given.");
  }
  part("enter").reset();
  part("enter").hidden = true;
  part("who").textContent = groups(entered.identity);
  part("entered").hidden = false;
  part("waiting-title").focus();
});

on("enrol", async () => {
  const invitation = field("code", /^[0-9a-f]{64}$/, "An invitation is 64 characters, 0 to 9 and a to f.");
  const label = field("label", /^.{1,100}$/, "Give the device a name of 1 to 100 characters.");
  const kind = part("kind").value;
  const begun = await told(INVITATIONS, call("POST", "/api/v1/presence/enrol/begin", { invitation, kind }));
  const authenticator = await enrol(kind, begun);
  const made = await call("POST", "/api/v1/presence/enrol/finish", {
    enrolment_id: begun.enrolment_id, label, authenticator,
  });
  part("enrol").reset();
  list("enrolled", [
    ["Enrolled", made.label], ["For", made.identity_id, "code"], ["Its name", made.authenticator_id, "code"],
    ["It counts from", time(made.counts_from)],
  ]);
  part("enrolled").hidden = false;
  part("enrolled").focus();
  if (entered) await refresh();
  say("Enrolled. It counts from " + time(made.counts_from) + ".");
});

const press = (id, work) => part(id).addEventListener("click", () => guarded(work));

press("again", async () => { await refresh(); say("This is what waits now."); });
press("leave", () => { forget(); say("Your token is forgotten."); part("token").focus(); });
press("decline", () => { close(); say("Nothing was approved."); part("waiting-title").focus(); });
press("approve", async () => {
  const { request } = shown;
  const devices = await known(request.request.identity_id);
  const proof = await prove(request, devices);
  try {
    shown.latest = await ask("POST", "/api/v1/qt/requests/" + request.request_id + "/proofs", proof);
  } catch (error) {
    const early = devices.filter((one) => Date.parse(one.counts_from) > Date.now());
    const words = early.map((one) => one.label + " counts from " + time(one.counts_from) + " only.");
    throw new Refused([error.message, ...words].join(" "));
  }
  progress(shown.latest);
  say("You approved: " + shown.latest.proofs + " of " + shown.latest.required + ".");
});
press("further", async () => {
  const begun = await ask("POST", "/api/v1/presence/vouch/begin", { identity_id: entered.identity });
  const voucher = await vouch(begun, await known(entered.identity));
  const body = { enrolment_id: begun.enrolment_id, voucher };
  const { invitation } = await ask("POST", "/api/v1/presence/vouch/finish", body);
  part("invitation").textContent = invitation;
  part("invited").hidden = false;
  say("A further device may enrol.");
});

setInterval(follow, 2000);
// Nobody finds the token behind the button that goes back.
addEventListener("pagehide", forget);
