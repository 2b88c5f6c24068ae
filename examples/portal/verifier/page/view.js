// What the page shows. Text alone is set, so that nothing in a file becomes part of the page.

const LANGUAGES = ["hr", "de", "en"];
const LOOKS = {
  valid: "good",
  consistent: "open",
  doubtful: "warn",
  unrelated: "warn",
  suspended: "warn",
  revoked: "bad",
  invalid: "bad",
  unreadable: "bad",
};
const SIGNS = { good: "✓", open: "≈", warn: "!", bad: "✗" };

let language = "en";

// A text in the person's language; `{name}` stands for what is put in.
function word(key, put = {}) {
  const text = WORDS[language][key];
  return text.replace(/\{(\w+)\}/g, (_, name) => put[name]);
}

function has(key) {
  return Object.hasOwn(WORDS[language], key);
}

// As it is, but for letters that are not seen, or turn the order of those beside them.
function plain(text) {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function grouped(hex) {
  return hex.replace(/(.{4})(?=.)/g, "$1 ");
}

function time(text) {
  const shown = new Date(text).toLocaleString(language, { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });
  return `${shown} UTC`;
}

function element(name, text = null, attributes = {}) {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

// All words of the page in one language.
function speak(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  document.title = word("title");
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-language]")) {
    node.setAttribute("aria-pressed", String(node.dataset.language === chosen));
  }
}

// The answer's outcome, with what the other files make of it.
function outcomeOf({ answer, others }) {
  const holds = answer.outcome === "valid" || answer.outcome === "consistent";
  return holds && others.some(({ how }) => how === "unnamed") ? "unrelated" : answer.outcome;
}

// The verdict, or the worst of several, each of which is told for its document.
function showVerdict(box, results) {
  const outcomes = results.map(outcomeOf);
  const outcome = Object.keys(LOOKS).findLast((known) => outcomes.includes(known));
  const heading = headed("h2", outcome, word(`is_${outcome}`));
  heading.tabIndex = -1;
  if (results.length === 1) {
    box.replaceChildren(heading, ...told(results[0], outcome));
  } else {
    const about = element("p", word("several", { count: results.length }));
    box.replaceChildren(heading, about, ...results.map((result, at) => toldOf(result, outcomes[at])));
  }
  box.dataset.verdict = outcome;
  box.className = LOOKS[outcome];
  box.hidden = false;
  heading.focus();
}

function headed(level, outcome, text) {
  const heading = element(level);
  heading.append(element("span", SIGNS[LOOKS[outcome]], { class: "sign", "aria-hidden": "true" }), text);
  return heading;
}

function toldOf(shown, outcome) {
  const title = `${plain(shown.document.name)}: ${word(`is_${outcome}`)}`;
  const made = element("article", null, { class: LOOKS[outcome], "data-verdict": outcome });
  made.append(headed("h3", outcome, title), ...told(shown, outcome));
  return made;
}

function told(shown, outcome) {
  const { answer } = shown;
  const about = outcome === "unreadable" ? `unreadable_${answer.part}` : `says_${outcome}`;
  const made = [element("p", word(about))];
  if (answer.error !== undefined) made.push(...whyNot(answer));
  if (answer.report !== undefined) made.push(notes(shown), facts(shown), ...content(shown));
  return made;
}

// Why there is no verdict: in the person's language as far as it goes, and in the library's own words.
function whyNot({ error, part, log }) {
  if (error === null) return [];
  const said = [`why_${error.name}_${(error.reason ?? "").replace(/ /g, "_")}`, `why_${error.name}`].find(has);
  const made = [];
  if (said !== undefined) made.push(element("p", word(said)));
  const field = error.field === null ? "" : ` [${error.field}]`;
  made.push(element("p", `${word("library_says")} ${error.name} (${error.code})${field}: ${plain(error.text)}`));
  if (error.name === "evidence-log" && log !== null && part === "evidence") {
    const list = element("dl");
    fact(list, "log_fingerprint", grouped(log));
    made.push(list);
  }
  return made;
}

function notes({ answer, question, document, others }) {
  const { report, pinned } = answer;
  const { place, revoked_now: now, revoked_then: then, claimed, opozvan_od: from } = report.as_of;
  const said = [];
  if (!document.own) said.push(word("note_inside", { file: plain(document.name) }));
  for (const { name, how } of others) said.push(word(`note_${how}`, { file: plain(name) }));
  if (!pinned) said.push(word("note_unpinned"));
  if (question.signer === null) said.push(word("note_anybody"));
  if (now !== null) said.push(word(place < now ? "note_revoked_later" : "note_revoked_before", { entry: now }));
  if (then !== null && now === null) said.push(word("note_revoked_then", { entry: then }));
  if (claimed) said.push(word("note_compromised", { entry: from }));
  if (report.not_shown !== null) said.push(word(`note_${report.vrsta}`));
  said.push(word("note_as_of", { size: report.as_of.size, time: time(answer.stated) }));
  const list = element("ul");
  list.append(...said.map((text) => element("li", text)));
  return list;
}

function fact(list, key, text, kind = "text") {
  list.append(element("dt", word(key)), element("dd", text, kind === "hex" ? { class: "hex" } : {}));
}

// Who, when, by which key.
function facts({ answer, document }) {
  const { report, pinned } = answer;
  const list = element("dl");
  fact(list, "document", `${plain(document.name)} (${document.blob.size.toLocaleString(language)} B)`);
  fact(list, "kind", word(`kind_${report.vrsta}`));
  fact(list, "who", grouped(report.identity_id), "hex");
  fact(list, "key", grouped(report.key), "hex");
  fact(list, "key_state", word(`state_${report.state}`, { entry: report.since }));
  fact(list, "when", word("when_entered", { time: time(answer.entered), entry: report.as_of.place }));
  const { timestamp } = report.as_of.result;
  if (timestamp !== null) fact(list, "when_signed", word("signers_word", { time: time(timestamp) }));
  fact(list, "before", report.before === null ? word("nobody_asked") : time(report.before));
  fact(list, "log", plain(report.origin));
  fact(list, pinned ? "log_fingerprint" : "log_claimed", grouped(report.log), "hex");
  if (report.vault_id !== null) fact(list, "erased", grouped(report.vault_id), "hex");
  return list;
}

// What was verified, where a person can read it.
function content({ text }) {
  if (text === null) return [];
  const box = element("details");
  box.append(element("summary", word("content")), element("pre", plain(text), { tabindex: "0" }));
  box.open = text.length < 4096;
  return [box];
}

function showProblem(box, key) {
  const heading = element("h2", word("is_missing"), { tabindex: "-1" });
  box.replaceChildren(heading, element("p", word(`problem_${key}`)));
  box.dataset.verdict = "missing";
  box.className = "warn";
  box.hidden = false;
  heading.focus();
}
