// The page: what is chosen, typed and pressed.

const MOST_FINGERPRINT_FILE = 4096;
const by = (id) => document.getElementById(id);

let files = [];
// Counts what was changed since, so that an answer on something else is never shown.
let changes = 0;
let shown = null;
const engine = Engine.load(MODULE);

function changed() {
  changes += 1;
  shown = null;
  by("verdict").hidden = true;
  by("verdict").removeAttribute("data-verdict");
  by("progress").hidden = true;
}

function choose(added) {
  changed();
  for (const file of added) {
    files = [...files.filter((known) => known.name !== file.name), file];
  }
  list();
}

function list() {
  by("chosen").replaceChildren(
    ...files.map((file) => {
      const row = element("li");
      const remove = element("button", word("remove"), { type: "button", class: "plain" });
      remove.setAttribute("aria-label", word("remove_file", { file: plain(file.name) }));
      remove.addEventListener("click", () => {
        files = files.filter((known) => known !== file);
        changed();
        list();
        by("files").focus();
      });
      row.append(element("span", `${plain(file.name)} (${file.size.toLocaleString(language)} B)`), remove);
      return row;
    }),
  );
}

function question() {
  return {
    fingerprint: typed(by("fingerprint").value),
    signer: typed(by("signer").value),
    witnesses: by("witnesses").value.split(/\s+/).filter((line) => line !== ""),
  };
}

async function verify() {
  changed();
  const now = changes;
  const progress = (share) => {
    by("progress").value = share;
  };
  by("progress").hidden = false;
  progress(0);
  by("live").textContent = word("working");
  let show;
  try {
    const found = await sorted(files);
    if (found.problem === undefined) {
      const result = await judged(await engine, question(), found, progress);
      show = () => showVerdict(by("verdict"), result);
    } else {
      show = () => showProblem(by("verdict"), found.problem);
    }
  } catch (error) {
    console.error(error);
    show = () => showProblem(by("verdict"), "failed");
  }
  if (now !== changes) return;
  by("progress").hidden = true;
  by("live").textContent = "";
  shown = show;
  show();
}

async function readFingerprint(file) {
  changed();
  const found = file.size <= MOST_FINGERPRINT_FILE ? fingerprintIn(await file.text()) : null;
  by("fingerprint").value = found === null ? "" : grouped(found);
  by("fingerprint-said").textContent = word(found === null ? "fingerprint_not_found" : "fingerprint_read", {
    file: plain(file.name),
  });
}

// Files may fall anywhere on the page; on the fingerprint's own part they are read as one, and nowhere else: what came
// with the evidence vouches for nothing.
function takesDrops(target, take) {
  target.addEventListener("dragover", (event) => {
    event.preventDefault();
    event.stopPropagation();
    target.classList.add("over");
  });
  target.addEventListener("dragleave", () => target.classList.remove("over"));
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    target.classList.remove("over");
    take(Array.from(event.dataTransfer.files));
  });
}

function speaks(chosen) {
  speak(chosen);
  list();
  if (shown !== null) shown();
}

function start() {
  // Of its address the page takes the language alone: whoever made a link could have made a fingerprint as well.
  const asked = [location.hash.slice(1), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  speak(asked.find((tag) => LANGUAGES.includes(tag)) ?? "en");
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => speaks(button.dataset.language));
  }
  takesDrops(document.body, choose);
  takesDrops(by("outside"), ([file]) => file !== undefined && readFingerprint(file));
  by("files").addEventListener("change", (event) => {
    choose(Array.from(event.target.files));
    event.target.value = "";
  });
  by("fingerprint-file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file !== undefined) readFingerprint(file);
    event.target.value = "";
  });
  for (const id of ["fingerprint", "signer", "witnesses"]) by(id).addEventListener("input", changed);
  // A line of its own has no meaning there.
  by("fingerprint").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    by("ask").requestSubmit();
  });
  by("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    verify();
  });
  by("verify").disabled = false;
}

start();
