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

// {evidence, documents, problem}: each evidence {name, bytes}, and what may be its document, each {name, blob, own};
// `own` are those that the person chose, and not what came inside a PDF.
async function sorted(files) {
  if (files.length === 0) return { problem: "nothing_chosen" };
  let found = await parted(files.map((file) => ({ name: file.name, blob: file })));
  // A ZIP or PDF is asked for evidence where there is no other: else it is what the evidence may be about.
  if (found.problem === undefined && found.evidence.length === 0) found = await fromZip(found);
  if (found.problem === undefined && found.evidence.length === 0) found = await fromPdf(found.documents);
  if (found.problem === undefined && found.documents.length === 0) return { problem: "no_document" };
  return found;
}

async function parted(files) {
  if (files.length > MOST_FILES) return { problem: "too_many" };
  const evidence = [];
  const documents = [];
  for (const { name, blob } of files) {
    const isSmall = blob.size <= MOST_EVIDENCE;
    if (EVIDENCE_NAME.test(name) && !isSmall) return { problem: "evidence_too_big" };
    const bytes = isSmall ? await bytesOf(blob) : null;
    if (bytes !== null && (EVIDENCE_NAME.test(name) || looksLikeEvidence(bytes))) {
      evidence.push({ name, bytes });
    } else {
      documents.push({ name, blob, own: true });
    }
  }
  return { evidence, documents };
}

// The same with what is in folders that came as ZIP.
async function fromZip({ evidence, documents }) {
  const files = [];
  for (const document of documents) {
    const head = await bytesOf(document.blob.slice(0, 4));
    const inside = isZip(head) && document.blob.size <= MOST_PDF ? await unpacked(document.blob) : null;
    files.push(...(inside ?? [document]));
  }
  // A document that is a ZIP by its form, as office programs write them, stays one.
  const found = await parted(files);
  return found.problem !== undefined || found.evidence.length > 0 ? found : { evidence, documents };
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
  return evidence.length > MOST_FILES ? { problem: "too_many" } : { evidence, documents: others };
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

// Verifies one evidence over what may be its document: the one that has its name first.
async function judgedOne(engine, question, piece, documents, progress) {
  const isNamed = ({ name }) => name === piece.name.replace(EVIDENCE_NAME, "");
  let first = null;
  for (const document of [...documents.filter(isNamed), ...documents.filter((document) => !isNamed(document))]) {
    const answer = await engine.verify(question, piece.bytes, partsOf(document.blob, progress));
    first ??= { answer, document };
    if (answer.verdict !== undefined) {
      first = { answer, document };
      break;
    }
  }
  const text = first.answer.verdict === undefined ? null : await textOf(first.document.blob);
  return { ...first, question, text, names: text === null ? null : namedIn(text), others: [] };
}

// What is said to whoever unpacks a folder: nobody signs it, and it is no document.
const ASIDE = /(^|\/)README\.txt$/;

// Verifies each evidence over what may be its document: {answer, question, document, text, others}. Of each other file
// that the person chose it is said how it belongs to the document: "named" by it, "naming" it in a document that is
// verified itself, "unnamed", or "aside"; of what came in a PDF beside the document, nothing.
async function judged(engine, question, { evidence, documents }, progress) {
  const results = [];
  for (const piece of evidence) results.push(await judgedOne(engine, question, piece, documents, progress));
  const shown = results.filter(({ answer }) => answer.verdict !== undefined);
  const own = documents.filter((document) => document.own);
  const hashes = new Map();
  const isAlone = shown.length === 1 && own.every((document) => document === shown[0].document);
  if (shown.length > 0 && !isAlone) for (const { blob } of documents) hashes.set(blob, await sha256(blob));
  const isNamedBy = (document, { names }) => names !== null && hashes.get(document.blob) === names;
  for (const result of shown) {
    for (const other of own.filter((document) => document !== result.document)) {
      const verified = shown.find(({ document }) => document === other);
      let how = "unnamed";
      if (isNamedBy(other, result)) how = "named";
      else if (verified !== undefined && isNamedBy(result.document, verified)) how = "naming";
      else if (verified === undefined && ASIDE.test(other.name)) how = "aside";
      result.others.push({ name: other.name, how });
    }
  }
  return results;
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
