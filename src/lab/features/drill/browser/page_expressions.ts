// Expressions that run in pages of an application.

const clickable = "a, button, input[type=submit], input[type=button], input[type=image], " +
  "[role=button], [role=link], [role=menuitem]";

/** What a page shows. */
export interface PageSnapshot {
  html: string;
  text: string;
  controls: Array<{ at: number; text: string; method: string; url: string }>;
  /** Its session storage, which no state of a context has. */
  session: Array<[name: string, value: string]>;
}

/** A moment without a change, in milliseconds: a framework writes its page in several steps. */
const moment = 60;

/** Resolves once the document is there and has not changed for a moment. */
export const untilStill = `new Promise((resolve) => {
  let last = performance.now();
  const watch = new MutationObserver(() => { last = performance.now(); });
  watch.observe(document, { subtree: true, childList: true, characterData: true });
  const look = () => {
    const isStill = document.readyState === "complete" && performance.now() - last > ${moment};
    if (!isStill) return setTimeout(look, 10);
    watch.disconnect();
    resolve();
  };
  look();
})`;

/**
 * Reads a page. What a script does with a button is unknown: it has a URL of its own, so that it is
 * found again. A form that asks for something is left out.
 */
export const shownPage = `(() => {
  const controls = [...document.querySelectorAll("${clickable}")].flatMap((each, at) => {
    const text = (each.innerText || each.value || each.ariaLabel || "").trim();
    if (!each.checkVisibility() || each.disabled) return [];
    const isPage = /^https?:$/.test(each.protocol) && !/^#?$/.test(each.getAttribute("href"));
    if (isPage) return [{ at, text, method: "GET", url: each.href }];
    const { form } = each;
    if (form && each.type !== "button") {
      const asks = [...form.elements].some((field) =>
        !["hidden", "submit", "button", "image", "fieldset", "select-one"].includes(field.type));
      if (asks) return [];
      const method = form.method.toUpperCase();
      // A script may send a form that names no place.
      const isPlain = form.hasAttribute("action") || each.hasAttribute("formaction");
      const url = each.hasAttribute("formaction") ? each.formAction : new URL(form.getAttribute("action") ?? "", location.href).href;
      if (isPlain && method === "POST") return [{ at, text, method, url }];
    }
    const mark = (location.hash || "#") + ":" + encodeURIComponent(text);
    return [{ at, text, method: "POST", url: new URL(mark, location.href).href }];
  });
  let session = [];
  try { session = Object.entries(sessionStorage); } catch {}
  return {
    html: document.documentElement.outerHTML,
    text: document.body?.innerText ?? "",
    controls,
    session,
  };
})()`;

/** Presses what a page showed, if it still does. Returns whether it does. */
export function pressed(at: number, text: string): string {
  return `(() => {
    const all = [...document.querySelectorAll("${clickable}")];
    const says = (each) => (each?.innerText || each?.value || each?.ariaLabel || "").trim() ===
      ${inScript(text)};
    const found = says(all[${at}]) ? all[${at}] : all.find(says);
    // What it leads to may take the page away before this returns.
    if (found) setTimeout(() => found.click());
    return new Promise((resolve) => setTimeout(() => resolve(Boolean(found))));
  })()`;
}

/** Fills the session storage of a page. */
export function withSession(entries: PageSnapshot["session"]): string {
  return `for (const [name, value] of ${inScript(entries)}) sessionStorage.setItem(name, value);`;
}

/** Returns a page that leads its browser on, as the lab does: by a redirect, or by a form. */
export function leadingPage(
  url: string,
  fields?: ReadonlyArray<readonly [string, string]>,
): string {
  if (!fields) return `<!doctype html><script>location.replace(${inScript(url)})</script>`;
  return `<!doctype html><body><script>
    const form = Object.assign(document.createElement("form"), { method: "POST" });
    form.action = ${inScript(url)};
    for (const [name, value] of ${inScript(fields)}) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);
  </script>`;
}

/** Returns a value as a script has it: no text in it ends the script. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
