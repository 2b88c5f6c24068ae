// What is attached to a PDF: streams of the type EmbeddedFile, which stand in a file as they are, whatever else is
// compressed. Nothing is believed of the PDF itself; an attachment is verified like any other file.

const MOST_ATTACHMENTS = 32;
const MOST_ATTACHED = 1 << 26;

function isPdf(bytes) {
  return new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).includes("%PDF-");
}

// The attachments' bytes, in the order of the file; those that are encrypted, or compressed in a rare way, are left out.
async function attachments(bytes) {
  // One letter a byte, so that places in the text are places in the file.
  const text = new TextDecoder("latin1").decode(bytes);
  const found = [];
  let seen = 0;
  for (const { index } of text.matchAll(/\/Type\s*\/EmbeddedFile(?![A-Za-z])/g)) {
    // Those that are none as well: each is searched for in the whole file.
    if (seen === MOST_ATTACHMENTS) break;
    seen += 1;
    const attached = await embedded(bytes, text, index);
    if (attached !== null) found.push(attached);
  }
  return found;
}

async function embedded(bytes, text, index) {
  const begin = text.lastIndexOf(" obj", index);
  const keyword = text.indexOf("stream", index);
  if (begin < 0 || keyword < 0 || keyword - begin > 1 << 16) return null;
  const dictionary = text.slice(begin, keyword);
  const start = keyword + "stream".length + (text.startsWith("\r\n", keyword + 6) ? 2 : 1);
  const length = lengthOf(dictionary, text) ?? text.indexOf("endstream", start) - start;
  if (!(length >= 0 && start + length <= bytes.length)) return null;
  const body = bytes.subarray(start, start + length);
  if (!/\/Filter/.test(dictionary)) return body;
  const isPlain = /\/Filter\s*(\/FlateDecode|\[\s*\/FlateDecode\s*\])/.test(dictionary);
  return isPlain && !/\/DecodeParms/.test(dictionary) ? inflated(new Blob([body]), "deflate") : null;
}

// A number, or the name of an object that is one.
function lengthOf(dictionary, text) {
  const said = /\/Length\s+(\d{1,10})(?:\s+(\d{1,5})\s+R)?/.exec(dictionary);
  if (said === null) return undefined;
  if (said[2] === undefined) return Number(said[1]);
  const named = new RegExp(`(?:^|[\\r\\n\\s])${said[1]} ${said[2]} obj\\s+(\\d{1,10})\\s`).exec(text);
  return named === null ? undefined : Number(named[1]);
}

async function inflated(blob, form) {
  const reader = blob.stream().pipeThrough(new DecompressionStream(form)).getReader();
  const parts = [];
  let length = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > MOST_ATTACHED) {
        await reader.cancel();
        return null;
      }
      parts.push(read.value);
    }
  } catch {
    return null;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
