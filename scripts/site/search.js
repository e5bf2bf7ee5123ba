// Searches the headings and settings of all documents. Without it, the columns lead everywhere.
const form = document.getElementById("search");
const input = document.getElementById("query");
const list = document.getElementById("results");
const common = new Set(
  "a an and are by can do does for has have how i in is it its my of on or the to what when where which with"
    .split(" "),
);
let loading;

const load = () => loading ??= fetch("search.json").then((response) => response.json());
const wordsIn = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
// A plural finds its singular, and "testing" finds "test".
const stemOf = (word) => word.replace(/(?<=\w{3})(?:ing|s)$/, "");

/** Whether one word is the other but for one letter, which is wrong, missing or too many. */
function isAlmost(word, other) {
  if (word.length < 5 || Math.abs(word.length - other.length) > 1) return false;
  let at = 0;
  while (word[at] === other[at]) at += 1;
  return [[1, 1], [0, 1], [1, 0]].some(([skipped, missing]) =>
    word.slice(at + skipped) === other.slice(at + missing)
  );
}

function scoreOf([title, page, , text, isHeading], wanted) {
  const titled = wordsIn(`${title} ${title.replace(/([a-z])([A-Z])/g, "$1 $2")}`).map(stemOf);
  const around = wordsIn(`${page} ${text}`).map(stemOf);
  const points = wanted.map((stem) =>
    titled.includes(stem)
      ? 4
      : titled.some((word) => word.startsWith(stem))
      ? 3
      : around.includes(stem) || titled.some((word) => isAlmost(stem, word))
      ? 1
      : 0
  );
  if (points.includes(0) && points.filter(Boolean).length < 2) return 0;
  return points.reduce((sum, each) => sum + each, points.includes(0) ? -3 : 0) -
    titled.length / 20 +
    (isHeading ? 1.5 : 0);
}

function linkTo([title, page, address, text]) {
  const link = Object.assign(document.createElement("a"), { href: address, textContent: title });
  const where = Object.assign(document.createElement("span"), {
    textContent: `${page}${text && ` · ${text}`}`,
  });
  link.append(where);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function search() {
  const wanted = wordsIn(input.value).filter((word) => !common.has(word)).map(stemOf);
  const entries = await load();
  const found = wanted.length === 0 ? [] : entries.map((entry) => [scoreOf(entry, wanted), entry])
    .filter(([score]) => score > 0).sort(([one], [other]) => other - one).slice(0, 12);
  list.replaceChildren(...found.map(([, entry]) => linkTo(entry)));
  if (found.length === 0 && wanted.length > 0) {
    list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  }
  list.hidden = wanted.length === 0;
}

form.hidden = false;
input.addEventListener("focus", load, { once: true });
input.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") list.hidden = true;
});
list.addEventListener("click", () => list.hidden = true);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input")) return;
  event.preventDefault();
  input.focus();
});
for (const block of document.querySelectorAll("pre")) {
  const around = Object.assign(document.createElement("div"), { className: "block" });
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "copy",
    textContent: "Copy",
    onclick: async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
    },
  });
  block.replaceWith(around);
  around.append(block, button);
}
// A wide screen has room for the columns.
for (const details of document.querySelectorAll("nav details")) {
  details.open = matchMedia("(min-width: 62rem)").matches;
}
