// The WebAssembly module, which compares and decides. It reaches nothing outside: it imports no function at all.

const PART = 1 << 20;
const MOST_EVIDENCE = 1 << 24;

class Engine {
  #module;

  constructor(module) {
    this.#module = module;
  }

  static async load(base64) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Engine(await WebAssembly.compile(bytes));
  }

  // The answer on evidence (bytes) over a document (an async iterable of parts) to a question
  // {fingerprint, signer, witnesses}. Each has an instance of its own, so that nothing is left of the one before.
  async verify(question, evidence, document) {
    const instance = await WebAssembly.instantiate(this.#module, {});
    const { memory, room, open, update, finish, answer, answer_length: length } = instance.exports;
    const hand = (...parts) => {
      let at = room(parts.reduce((sum, part) => sum + part.length, 0));
      if (at === 0) throw new RangeError("more than is handed over at once");
      for (const part of parts) {
        new Uint8Array(memory.buffer, at, part.length).set(part);
        at += part.length;
      }
    };
    const asked = new TextEncoder().encode(JSON.stringify(question));
    hand(asked, evidence);
    if (open(asked.length) === 1) {
      for await (const part of document) {
        hand(part);
        update();
      }
    }
    finish();
    const told = new Uint8Array(memory.buffer, answer(), length());
    return JSON.parse(new TextDecoder().decode(told.slice()));
  }
}
