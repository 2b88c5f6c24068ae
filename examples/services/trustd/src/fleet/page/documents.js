// Documents near their ends, or behind them: the nearest first.

// Who has one is told so many days before.
const NEAR = 30;
const DAY = 24 * 3600 * 1000;
const PAGES = 5;
const STATES = { istekao: ["Expired", "violation"], uskoro: ["Soon", "warning"], vrijedi: ["In order", "ok"] };

function line({ naslov, tip, vrijedi_do, stanje, dana }) {
  const item = document.createElement("li");
  const [name, kind] = STATES[stanje];
  const level = Object.assign(document.createElement("span"), { textContent: name, className: "level " + kind });
  const left = dana < 0 ? -dana + " days ago" : dana === 0 ? "today" : "in " + dana + " days";
  item.append(level, " " + naslov + " (" + tip + "): until " + vrijedi_do + ", " + left);
  return item;
}

// Shows them in a list; says whether these are all.
export async function documents(ask, list) {
  const found = [];
  let after = "";
  for (let page = 0; page < PAGES && after !== null; page += 1) {
    const do_dana = new Date(Date.now() + NEAR * DAY).toISOString().slice(0, 10);
    const query = new URLSearchParams({ do_dana, limit: 200, ...(after && { after }) });
    const { items, next } = await ask("GET", "/api/v1/lifecycle/dokumenti?" + query);
    found.push(...items);
    after = next;
  }
  found.sort((one, other) => one.dana - other.dana);
  list.replaceChildren(...found.map(line));
  return after === null;
}
