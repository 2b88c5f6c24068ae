// Mutations of a file of evidence, the same for the same seed: of its bytes, and of its members.

function generator(seed) {
  let state = seed >>> 0 || 1;
  return (below) => {
    // xorshift32
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const STRANGE = [null, true, -1, 0, 2 ** 53, 1.5, "", "0".repeat(64), "g".repeat(64), [], {}, [[[[]]]], "\ud800", "::"];

function places(value, found = []) {
  for (const key of Object.keys(value ?? {})) {
    found.push([value, key]);
    if (typeof value[key] === "object") places(value[key], found);
  }
  return found;
}

function ofMembers(text, draw) {
  const file = JSON.parse(text);
  const all = places(file);
  const [parent, key] = all[draw(all.length)];
  const [otherParent, otherKey] = all[draw(all.length)];
  switch (draw(5)) {
    case 0:
      parent[key] = STRANGE[draw(STRANGE.length)];
      break;
    case 1:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 2:
      parent[key] = structuredClone(otherParent[otherKey]);
      break;
    case 3:
      if (Array.isArray(parent)) parent.push(structuredClone(parent[key]));
      else parent[`${key}x`] = parent[key];
      break;
    default:
      if (typeof parent[key] === "string" && parent[key] !== "") {
        const at = draw(parent[key].length);
        parent[key] = parent[key].slice(0, at) + "0123456789abcdefAZ:+ \n"[draw(22)] + parent[key].slice(at + 1);
      } else if (typeof parent[key] === "number") {
        parent[key] += draw(5) - 2;
      }
  }
  return new TextEncoder().encode(JSON.stringify(file));
}

function ofBytes(good, draw) {
  const at = draw(good.length);
  const end = Math.min(good.length, at + 1 + draw(64));
  switch (draw(6)) {
    case 0: {
      const flipped = good.slice();
      flipped[at] ^= 1 << draw(8);
      return flipped;
    }
    case 1:
      return good.slice(0, at);
    case 2:
      return Uint8Array.from([...good.subarray(0, at), ...good.subarray(end)]);
    case 3:
      return Uint8Array.from([...good.subarray(0, end), ...good.subarray(at)]);
    case 4: {
      const drawn = good.slice();
      for (let place = at; place < end; place += 1) drawn[place] = draw(256);
      return drawn;
    }
    default: {
      const deep = "[{".repeat(draw(40)) + '{"vrsta":'.repeat(draw(40));
      return Uint8Array.from([...good.subarray(0, at), ...new TextEncoder().encode(deep), ...good.subarray(at)]);
    }
  }
}

export function* mutations(good, seed, rounds) {
  const draw = generator(seed);
  const text = new TextDecoder().decode(good);
  for (let round = 0; round < rounds; round += 1) {
    yield round % 2 === 0 ? ofBytes(good, draw) : ofMembers(text, draw);
  }
}
