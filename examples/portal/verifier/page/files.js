// The files that a person chose: which of them is the evidence, and what it may be about.

const MOST_FILES = 16;
const MOST_PDF = 1 << 27;
const EVIDENCE_NAME = /\.evidence\.json$/i;

async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}

async function* partsOf(blob, progress) {
  for (let at = 0; at < blob.size; at += PART) {
    yield await bytesOf(blob.slice(at, at + PART));
    progress(Math.min(at + PART, blob.size) / blob.size);
  }
}

// Whether to hand it over as evidence; what it is worth, the module says.
function looksLikeEvidence(bytes) {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return value !== null && typeof value === "object" && "vrsta" in value && "checkpoint" in value;
  } catch {
    return false;
  }
}

// {evidence, documents, problem}: the evidence's name and bytes, and what may be its document, each {name, blob, own};
// `own` are those that the person chose, and not what came inside a PDF.
async function sorted(files) {
  if (files.length === 0) return { problem: "nothing_chosen" };
  if (files.length > MOST_FILES) return { problem: "too_many" };
  const evidence = [];
  const documents = [];
  for (const file of files) {
    const isSmall = file.size <= MOST_EVIDENCE;
    if (EVIDENCE_NAME.test(file.name) && !isSmall) return { problem: "evidence_too_big" };
    const bytes = isSmall ? await bytesOf(file) : null;
    if (bytes !== null && (EVIDENCE_NAME.test(file.name) || looksLikeEvidence(bytes))) {
      evidence.push({ name: file.name, bytes });
    } else {
      documents.push({ name: file.name, blob: file, own: true });
    }
  }
  // A PDF is asked for evidence where there is no other: else it is what the evidence may be about.
  return evidence.length > 0 ? chosen(evidence, documents) : fromPdf(documents);
}

async function fromPdf(documents) {
  const evidence = [];
  const others = [];
  let pdfs = 0;
  for (const document of documents) {
    const head = await bytesOf(document.blob.slice(0, 1024));
    const inside = isPdf(head) && document.blob.size <= MOST_PDF ? await attachments(await bytesOf(document.blob)) : [];
    const shown = inside.filter((bytes) => bytes.length <= MOST_EVIDENCE && looksLikeEvidence(bytes));
    pdfs += isPdf(head) ? 1 : 0;
    if (shown.length === 0) {
      others.push(document);
      continue;
    }
    evidence.push(...shown.map((bytes) => ({ name: document.name, bytes })));
    const attached = inside.filter((bytes) => !shown.includes(bytes));
    others.push(...attached.map((bytes) => ({ name: document.name, blob: new Blob([bytes]), own: false })));
  }
  if (evidence.length === 0) return { problem: pdfs > 0 ? "no_evidence_in_pdf" : "no_evidence" };
  return chosen(evidence, others);
}

function chosen(evidence, documents) {
  if (evidence.length > 1) return { problem: "two_evidences" };
  if (documents.length === 0) return { problem: "no_document" };
  return { evidence: evidence[0], documents };
}

// The hash by which a document may name another file. `null` where the browser has none to offer.
async function sha256(blob) {
  if (globalThis.crypto?.subtle === undefined) return null;
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A document as text, where it is a short one.
async function textOf(blob) {
  if (blob.size > 1 << 16) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await bytesOf(blob));
  } catch {
    return null;
  }
}

// The SHA-256 of the one file that a document is about: its own member `hash`. In any other place stands what others
// wrote, as a client's browser does its name: a hash there names nothing.
function namedIn(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && Object.hasOwn(value, "hash") && typeof value.hash === "string" ? value.hash : null;
  } catch {
    return null;
  }
}

// Verifies the evidence over what may be its document: {answer, question, document, text, others}. Of each other file that the
// person chose it is said whether the document names it; of what came in a PDF beside the document, nothing.
async function judged(engine, question, { evidence, documents }, progress) {
  let first = null;
  for (const document of documents) {
    const answer = await engine.verify(question, evidence.bytes, partsOf(document.blob, progress));
    first ??= { answer, document };
    if (answer.verdict !== undefined) {
      first = { answer, document };
      break;
    }
  }
  const { answer, document } = first;
  const text = answer.verdict === undefined ? null : await textOf(document.blob);
  const named = text === null ? null : namedIn(text);
  const others = [];
  for (const other of documents) {
    if (answer.verdict === undefined || other === document || !other.own) continue;
    const hash = await sha256(other.blob);
    others.push({ name: other.name, named: hash !== null && hash === named });
  }
  return { answer, question, document, text, others };
}

// The one fingerprint in a text, in one piece or as the whole of it, or `null`.
function fingerprintIn(text) {
  const whole = typed(text);
  const found = /^[0-9a-f]{64}$/.test(whole ?? "") ? [whole] : (text.toLowerCase().match(/\b[0-9a-f]{64}\b/g) ?? []);
  return new Set(found).size === 1 ? found[0] : null;
}

// What a person typed, without what groups it: whether it is a fingerprint, the module says.
function typed(text) {
  const plain = text.toLowerCase().replace(/[\s:.-]/g, "");
  return plain === "" ? null : plain;
}
