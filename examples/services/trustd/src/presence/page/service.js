// Calls of the service.

// A failure in words, and the code of the service's where it has one.
export class Refused extends Error {
  constructor(words, code) {
    super(words);
    this.code = code;
  }
}

// What the service answers, to whoever has the token where one is given.
export async function call(method, path, body, token) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = "Bearer " + token;
  const options = { method, headers, redirect: "error", credentials: "omit", cache: "no-store" };
  if (body !== undefined) options.body = JSON.stringify(body);
  let answer, text;
  try {
    answer = await fetch(path, options);
    text = await answer.text();
  } catch {
    throw new Refused("The service cannot be reached.");
  }
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch {
    throw new Refused("What answered is not the service: status " + answer.status + ".");
  }
  if (answer.ok) return json;
  if (answer.status === 401) throw new Refused("Your token is wrong, or its time is over: ask for another.");
  const fields = (json.errors || []).map((field) => field.detail).join("; ");
  const words = [json.title, json.detail, fields].filter(Boolean).join(": ");
  throw new Refused(words || "Status " + answer.status + ".", json.code);
}

// The same, where a code of the service's means something more to people.
export async function told(words, asked) {
  try {
    return await asked;
  } catch (error) {
    throw words[error.code] ? new Refused(words[error.code]) : error;
  }
}
