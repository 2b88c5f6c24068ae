// A folder that came as ZIP. Programs that read one otherwise than it is written show a person another file than the one
// that was verified: it is taken only as it is written plainly, each file once, one behind the other, and nothing else.

const MOST_ENTRIES = 64;
const MOST_COMMENT = 1 << 16;
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
// Behind a file that was written without knowing its length: with its signature, and without.
const DESCRIPTORS = [0, 12, 16];

function isZip(bytes) {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === LOCAL;
}

// Its files as {name, blob}, or `null`: then it is a document like any other.
async function unpacked(blob) {
  const tail = await viewOf(blob.slice(Math.max(0, blob.size - 22 - MOST_COMMENT)));
  const end = endOf(tail);
  if (end === null) return null;
  const [count, length, start] = [tail.getUint16(end + 10, true), tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const isPlain = tail.getUint32(end + 4, true) === 0 && tail.getUint16(end + 8, true) === count;
  if (!isPlain || count > MOST_ENTRIES || start + length !== blob.size - tail.byteLength + end) return null;
  const listed = listedIn(await viewOf(blob.slice(start, start + length)), count);
  return listed === null ? null : filesOf(blob, listed, start);
}

async function viewOf(blob) {
  return new DataView(await blob.arrayBuffer());
}

// Where the last record begins, whose comment is all that follows.
function endOf(tail) {
  for (let at = tail.byteLength - 22; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) === END && at + 22 + tail.getUint16(at + 20, true) === tail.byteLength) return at;
  }
  return null;
}

function textIn(view, at, length) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(view.buffer, view.byteOffset + at, length));
  } catch {
    return null;
  }
}

// What the list of files says of each.
function listedIn(view, count) {
  const listed = [];
  const names = new Set();
  let at = 0;
  while (at < view.byteLength) {
    if (view.byteLength - at < 46 || view.getUint32(at, true) !== CENTRAL) return null;
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    if (view.byteLength - at - 46 < nameLength) return null;
    const name = textIn(view, at + 46, nameLength);
    // Windows knows no case, and takes either stroke for the other.
    const known = name?.toLowerCase().replaceAll("\\", "/");
    const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
    if (name === null || isEncrypted || names.has(known)) return null;
    names.add(known);
    listed.push({
      name,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      start: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + extra + comment;
  }
  return at === view.byteLength && listed.length === count ? listed : null;
}

async function filesOf(blob, listed, end) {
  const files = [];
  let [at, size] = [0, 0];
  for (const entry of listed.toSorted((one, other) => one.start - other.start)) {
    if (!DESCRIPTORS.includes(entry.start - at)) return null;
    if (at === 0 && entry.start !== 0) return null;
    const head = await viewOf(blob.slice(entry.start, entry.start + 30));
    if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) return null;
    const nameLength = head.getUint16(26, true);
    const name = await viewOf(blob.slice(entry.start + 30, entry.start + 30 + nameLength));
    if (textIn(name, 0, name.byteLength) !== entry.name || head.getUint16(8, true) !== entry.method) return null;
    const data = entry.start + 30 + nameLength + head.getUint16(28, true);
    at = data + entry.packed;
    size += entry.size;
    if (at > end || size > MOST_ATTACHED) return null;
    if (entry.name.endsWith("/")) continue;
    const packed = blob.slice(data, at);
    const bytes = entry.method === 8 ? await inflated(packed, "deflate-raw") : new Uint8Array(await packed.arrayBuffer());
    if (![0, 8].includes(entry.method) || bytes === null || bytes.length !== entry.size) return null;
    files.push({ name: entry.name, blob: new Blob([bytes]) });
  }
  return DESCRIPTORS.includes(end - at) ? files : null;
}
