// The module and the scripts of the built page under Node: one JSON request a line, one JSON answer a line.
//
//   node peer.mjs target/verifier/verify.html
//
// `verify` {evidence, document_hex, question} answers as the page is told; `attachments` {pdf_hex} lists them in hex;
// `sorted` {files: [[name, hex]]} says what the page takes them for; `mutated` {evidence, document_hex, question, seed,
// rounds} verifies so many mutations and counts what was said.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { mutations } from "./mutations.mjs";

const page = readFileSync(process.argv[2], "utf-8");
const script = /<script>\n([^]*)<\/script>/.exec(page)[1];
// What needs a document to be shown in is left out.
const code = script.slice(0, script.indexOf("// What the page shows."));
const { Engine, MODULE, attachments, sorted } = new Function(
  `${code}\nreturn { Engine, MODULE, attachments, sorted };`,
)();
const engine = await Engine.load(MODULE);

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (data) => Buffer.from(data).toString("hex");

// In parts of several lengths, as a file comes in several.
function* parts(document) {
  for (let at = 0, length = 1; at < document.length; at += length, length = (length * 7) % 997) {
    yield document.subarray(at, at + length);
  }
}

async function told({ evidence, document_hex: document, question }) {
  return engine.verify(question, new TextEncoder().encode(evidence), parts(bytes(document)));
}

async function mutated(request) {
  const { evidence, document_hex: document, question, seed, rounds } = request;
  const good = JSON.stringify(await told(request));
  const said = {};
  const accepted = [];
  for (const mutation of mutations(new TextEncoder().encode(evidence), seed, rounds)) {
    const answer = await engine.verify(question, mutation, parts(bytes(document)));
    const name = answer.verdict ?? answer.error?.name ?? answer.part;
    said[name] = (said[name] ?? 0) + 1;
    // It may say the same in another spacing; it must not say anything else.
    if (answer.verdict !== undefined && JSON.stringify(answer) !== good) accepted.push(hex(mutation));
  }
  return { said, accepted };
}

async function taken({ files }) {
  const found = await sorted(files.map(([name, data]) => new File([bytes(data)], name)));
  if (found.problem !== undefined) return found;
  const documents = found.documents.map(async ({ name, blob, own }) => [name, hex(await blob.arrayBuffer()), own]);
  const evidence = found.evidence.map((piece) => hex(piece.bytes));
  return { evidence, documents: await Promise.all(documents) };
}

const operations = {
  verify: told,
  mutated,
  sorted: taken,
  attachments: async ({ pdf_hex: pdf }) => (await attachments(bytes(pdf))).map(hex),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = await operations[request.op](request);
  } catch (error) {
    answer = { trapped: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
