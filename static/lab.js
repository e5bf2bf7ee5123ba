// What the pages of the lab have on top: a clock that ticks, live parts, filters and menus.
// Without scripts, the pages show the same, as it was when they were loaded.

const clock = document.getElementById("clock");
const connection = document.getElementById("connection");
const { liveUrl } = document.body.dataset;

// A link of another site led here, so the browser kept its cookies back. Now it sends them.
if ("loadAgain" in document.body.dataset) location.replace(location.pathname + location.search);

// --- The clock ---

let shownAt = Date.now();

function labTime() {
  const start = Number(clock.dataset.now);
  return clock.dataset.frozen === "true" ? start : start + Date.now() - shownAt;
}

function showTime() {
  const instant = new Date(labTime()).toISOString();
  clock.dateTime = instant;
  clock.querySelector(".date").textContent = instant.slice(0, 10);
  clock.querySelector(".time").textContent = instant.slice(11, 19);
}

function setClock(now, frozen) {
  shownAt = Date.now();
  clock.dataset.now = now;
  clock.dataset.frozen = frozen;
  showTime();
  const button = document.querySelector("#clock-form [value=pause], #clock-form [value=run]");
  button.value = frozen ? "run" : "pause";
  button.textContent = frozen ? "Run" : "Pause";
}

// A front page has no clock if the other pages of the lab have a port of their own.
if (clock) setInterval(showTime, 1000);

// --- Live parts ---

/** A part in which the user is doing something stays as it is, and so do rows under the pointer. */
function isInUse(part) {
  const { activeElement } = document;
  const isTyping = part.contains(activeElement) && activeElement.matches("input, textarea, select");
  const selection = getSelection();
  const isSelecting = !selection.isCollapsed && part.contains(selection.anchorNode);
  return isTyping || isSelecting || isPointedAt(part);
}

let isChoosing = false;
let isMouse = false;
document.addEventListener("pointermove", ({ pointerType }) => isMouse = pointerType === "mouse");

/** Nothing moves under the pointer; the part follows as soon as the pointer has left it. */
function isPointedAt(part) {
  if (!isMouse || isChoosing) return false;
  const held = part.matches(":has(#register-uri):hover") ? part : part.querySelector(".rows:hover");
  held?.addEventListener("pointerleave", refreshSoon, { once: true });
  return held !== null;
}

/** Keeps what the user opened or folded; a search opens more, and so does a field that is wrong. */
function keepOpen(before, after) {
  for (const { id, open } of before.querySelectorAll("details[id]:not([data-found])")) {
    const next = after.querySelector(`#${CSS.escape(id)}:not([data-found])`);
    if (next?.querySelector("[aria-invalid]") === null) next.open = open;
  }
}

function replacePart(part, fresh) {
  if (fresh === null || isInUse(part) || part.dataset.source === fresh.outerHTML) return;
  const { id } = document.activeElement ?? {};
  const source = fresh.outerHTML;
  keepOpen(part, fresh);
  const top = (row) => row.getBoundingClientRect().top;
  const first = [...part.querySelectorAll(".row[id]")].find((row) => top(row) > 0);
  const before = first && top(first);
  part.replaceWith(fresh);
  fresh.dataset.source = source;
  // Rows that come in above the window push nothing out of it.
  const moved = first && document.getElementById(first.id);
  if (moved && scrollY > 0) scrollBy(0, top(moved) - before);
  if (id) document.getElementById(id)?.focus();
}

async function refresh() {
  const { href } = location;
  const response = await fetch(href, { headers: { Accept: "text/html" } });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  // A later choice of the user has its own request on its way.
  if (href !== location.href) return;
  for (const part of document.querySelectorAll("[data-live][id]")) {
    replacePart(part, next.getElementById(part.id));
  }
  document.dispatchEvent(new Event("replaced"));
}

// A browser may end the requests of a page that is left. After a download, it is still there.
let isLeaving = false;

addEventListener("beforeunload", () => {
  isLeaving = true;
  setTimeout(() => isLeaving = false, 10_000);
});

/** Refreshes the page, or else loads it, unless another one comes. */
function refreshOrLoad(load = () => location.reload()) {
  return refresh().catch(() => isLeaving || load());
}

let isRefreshing = false;
let isOutdated = false;

/** Many events come at once; the page is loaded at most every half second. */
async function refreshSoon() {
  isOutdated = true;
  if (isRefreshing || document.hidden) return;
  isRefreshing = true;
  while (isOutdated) {
    isOutdated = false;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await refresh().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  isRefreshing = false;
}

// What happened "3 minutes ago" goes on to do so.
if (document.querySelector(".ago")) setInterval(refreshSoon, 30_000);

function showConnection(state, text) {
  connection.dataset.state = state;
  connection.title = text;
  connection.firstElementChild.textContent = text;
}

async function readStream(url, signal, onEvent) {
  const response = await fetch(url, { signal, headers: { Accept: "text/event-stream" } });
  if (!response.ok) throw new Error(`The stream of events responded with ${response.status}.`);
  showConnection("open", "Connected: this page follows the lab.");
  // What runs may have ended before the page could hear of it.
  if (document.querySelector("[data-live][data-running]")) refreshSoon();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (buffer + value).split("\n\n");
    buffer = messages.pop();
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data) onEvent(JSON.parse(data));
    }
  }
}

function onEvent(event) {
  if (event.type === "clock.moved") setClock(Date.parse(event.now), event.frozen);
  refreshSoon();
}

const whenVisible = () =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve();
    document.addEventListener("visibilitychange", resolve, { once: true });
  });

/** Follows while the page can be seen: a browser opens only a few connections to one server. */
async function follow() {
  while (true) {
    await whenVisible();
    const controller = new AbortController();
    const stop = () => controller.abort();
    document.addEventListener("visibilitychange", stop, { once: true });
    await readStream(liveUrl, controller.signal, onEvent).catch(() => {});
    document.removeEventListener("visibilitychange", stop);
    showConnection("lost", "Not connected: trying again.");
    if (!controller.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 2000));
    await whenVisible();
    refreshSoon();
  }
}

/** A lab in a browser tab needs no connection: the page around this one has its events. */
function followShell() {
  showConnection("open", "Connected: this page follows the lab.");
  addEventListener("lab", ({ detail }) => onEvent(detail));
  document.addEventListener("visibilitychange", refreshSoon);
}

if (liveUrl) follow();
if (liveUrl === "") followShell();

// --- What stands above the rest of a narrow page is folded. ---

if (matchMedia("(max-width: 56rem)").matches) {
  for (const part of document.querySelectorAll("[data-fold-if-narrow]")) part.open = false;
}

// --- Links with data-swap choose what the live parts of this page show. ---

const isWide = () => matchMedia("(min-width: 56.25rem)").matches;

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap], a[data-peek]");
  const isOther = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
  // A narrow window has room for the list or for a flow.
  if (link === null || isOther || (link.dataset.peek && !isWide())) return;
  event.preventDefault();
  history.pushState(null, "", link.dataset.peek ?? link.getAttribute("href"));
  getSelection().removeAllRanges();
  isChoosing = true;
  refreshOrLoad().then(showStep).finally(() => isChoosing = false);
});

/** The details of a step are below the diagram, or beside it: they may begin above the window. */
function showStep() {
  const step = document.getElementById("step");
  const isBelow = matchMedia("(max-width: 56rem)").matches;
  if (isBelow || step?.getBoundingClientRect().top < 0) step?.scrollIntoView();
}

// --- Keys that walk through rows, while one has the focus (WCAG 2.1.4) ---

const stepOfKey = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const rows = [...document.querySelectorAll("a[data-peek]")];
  const at = rows.indexOf(document.activeElement);
  const row = rows[at + stepOfKey[event.key]];
  if (at < 0 || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  row.focus();
  if (isWide()) row.click();
  announcement.textContent = row.closest("li").textContent;
});

addEventListener("popstate", () => refreshOrLoad());

// --- A link to an entry that is folded opens what it is in. Not every browser does. ---

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();

// --- Filters: what a form with data-follow asks for is shown as one types or chooses. ---

let filterTimer;

function showFiltered(form) {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  const search = query.size > 0 ? `?${query}` : "";
  history.replaceState(history.state, "", form.getAttribute("action") + search);
  refreshOrLoad();
}

document.addEventListener("input", ({ target }) => {
  const { form } = target;
  if (!form?.matches("[data-follow]")) return;
  clearTimeout(filterTimer);
  filterTimer = setTimeout(showFiltered, 150, form);
});

// --- The menu of the clock: a click elsewhere, or Escape, closes it. ---

const menu = clock?.closest("details");

document.addEventListener("click", ({ target }) => {
  if (menu?.contains(target) === false) menu.open = false;
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
