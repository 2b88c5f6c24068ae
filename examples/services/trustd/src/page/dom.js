// What each of the service's pages does with its document.

export const part = (id) => document.getElementById(id);

export function say(text) {
  part("failed").textContent = "";
  part("said").textContent = text;
}

export function fail(error) {
  part("said").textContent = "";
  part("failed").textContent = error.message;
}

export function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

export const time = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

// An input with its label.
export function field(label, id, input) {
  const named = element("label", label);
  named.htmlFor = input.id = id;
  return [named, input];
}

// What a list has to choose from, each its value and its text.
export function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => Object.assign(element("option", text), { value })));
}
