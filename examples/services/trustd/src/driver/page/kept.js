// What this browser keeps: the login key, which can be used and not read, what waits to be sent, and the vehicles that
// were seen last.

const STORES = ["login", "documents", "photos", "vehicles"];

function opened() {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("driver", 1);
    opening.onupgradeneeded = () => STORES.forEach((name) => opening.result.createObjectStore(name));
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => done(opening.result);
  });
}

// One change of several stores: all of it, or nothing.
export async function change(names, mode, work) {
  const base = await opened();
  try {
    return await new Promise((done, failed) => {
      const transaction = base.transaction(names, mode, { durability: "strict" });
      const asking = work(...names.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => done(asking && asking.result);
      transaction.onabort = transaction.onerror = () => failed(transaction.error);
    });
  } finally {
    base.close();
  }
}

export const get = (name, key) => change([name], "readonly", (store) => store.get(key));
export const all = (name) => change([name], "readonly", (store) => store.getAll());
export const put = (name, key, value) => change([name], "readwrite", (store) => store.put(value, key));
// What is forgotten when the phone is somebody else's: all of it, in one change.
export const clear = () => change(STORES, "readwrite", (...stores) => void stores.forEach((store) => store.clear()));
