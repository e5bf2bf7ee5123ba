import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import {
  buildPlayground,
  type PlaygroundFile,
  servePlayground,
} from "../../../scripts/playground.ts";
import { brokenApplications } from "../../../src/playground/broken_applications.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { until } from "../../support/in_browser.ts";
import { press } from "./keyboard.ts";
import { problemsOf } from "./page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";

let built: Promise<PlaygroundFile[]> | undefined;
const build = () => built ??= buildPlayground();

/** What a person sees of the lab: the document in the frame. */
const inside = "document.getElementById('lab').contentDocument";

interface Visit {
  tab: Tab;
  url: string;
  /** Takes the static host away. */
  goOffline(): Promise<void>;
}

/** Opens the playground below a path, and waits until its lab shows a page. */
async function visiting(
  use: (visit: Visit) => Promise<void>,
  { path = "/", hash = "" } = {},
): Promise<void> {
  const { port, close } = await servePlayground(await build(), path);
  let isServed = true;
  const goOffline = async () => {
    if (isServed) await close();
    isServed = false;
  };
  try {
    await withChromium(async (tab) => {
      const url = `http://localhost:${port}${path}`;
      await tab.goto(url + hash);
      await until(tab, `${inside}?.querySelector("main h1")`);
      await use({ tab, url, goOffline });
    });
  } finally {
    await goOffline();
  }
}

/** Presses the button whose text begins so, as soon as there is one that works. */
async function pressButton(tab: Tab, text: string): Promise<void> {
  const button = `[...${inside}?.querySelectorAll("button") ?? []].find((button) =>
    button.textContent.trim().startsWith(${JSON.stringify(text)}) &&
    !button.matches(":disabled, [aria-disabled=true]"))`;
  await until(tab, button);
  await tab.evaluate(`${button}.click()`);
}

async function insideReads(tab: Tab, text: string): Promise<void> {
  await until(tab, `${inside}?.body?.innerText.includes(${JSON.stringify(text)})`);
}

async function goInside(tab: Tab, path: string): Promise<void> {
  await tab.evaluate(`document.getElementById("lab").contentWindow.location =
    document.getElementById("lab").contentWindow.location.pathname.match(/^.*\\/tab-[^/]+/)[0] +
      ${JSON.stringify(path)}`);
  const name = JSON.stringify(path.split("?")[0]);
  await until(
    tab,
    `${inside}?.readyState === "complete" && ${inside}.location.pathname.endsWith(${name})`,
  );
}

async function signIn(tab: Tab): Promise<void> {
  await pressButton(tab, "Start");
  await pressButton(tab, "Alice");
  await pressButton(tab, "Allow");
}

/** What the application tries to reach, below the folder of the playground. */
const escapes = [
  "document.cookie",
  "localStorage.length",
  "parent.document.title",
  "top.location.href",
  "(await fetch(FOLDER + 'index.html')).status",
  "(await fetch('https://hallpass.test/')).status",
  "await new Promise((loaded, failed) => Object.assign(new Image(), " +
  "{ onload: loaded, onerror: failed, src: FOLDER + 'files/icon.svg' }))",
  "await import(FOLDER + 'sw.js')",
];

/** Returns an application that tries all of it, and sends the results to the lab. */
function escapingSource(folder: string): string {
  const tried = escapes.map((escape) =>
    `try { ${escape}; results.push("reached"); } catch { results.push("refused"); }`
  );
  return `const FOLDER = ${JSON.stringify(folder)}; const results = [];
    ${tried.join("\n")}
    await fetch(issuer + "/oauth2/userinfo?results=" + results.join());`;
}

/** Reads what the lab responds to a page of its own. */
function fromLab(path: string): string {
  return `(async () => {
    const issuer = document.getElementById("address").value.match(/^.*\\/tab-\\w+/)[0];
    const { contentWindow } = document.getElementById("lab");
    return await (await contentWindow.fetch(issuer + ${JSON.stringify(path)})).text();
  })()`;
}

/**
 * Begins the application again by what is clicked, and presses its button until it sends a message:
 * no script reaches into its frame, and a new frame takes no clicks for a moment.
 */
async function signInFromApplication(tab: Tab, clicked: string): Promise<void> {
  const [x = 0, y = 0] = await tab.evaluate<number[]>(`new Promise((resolve) => {
    addEventListener("message", () => globalThis.hasBegun = true);
    document.addEventListener("load", ({ target }) => {
      if (target.id !== "application-frame") return;
      const { x, y } = target.getBoundingClientRect();
      globalThis.hasBegun = false;
      resolve([x + 60, y + 30]);
    }, { capture: true });
    document.querySelector(${JSON.stringify(clicked)}).click();
  })`);
  await eventually(async () => {
    for (const type of ["mousePressed", "mouseReleased"]) {
      await tab.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    }
    assert(
      await tab.evaluate(`new Promise((resolve) => setTimeout(() => resolve(hasBegun), 300))`),
    );
  });
}

describe("The playground, built", () => {
  it("loads at most 250 kB, compressed, until its first page", async () => {
    const files = await build();
    const first = files.filter(({ path }) =>
      /^(?:index\.html|sw\.js|.*\/(?:shell\.js|worker\.js|playground\.css))$/.test(path)
    );
    assertEquals(first.length, 5);
    const bytes = first.reduce((sum, { text }) => sum + gzipSync(text).length, 0);
    assert(bytes <= 250_000, `The first load has ${bytes} bytes.`);
  });

  it("names no host: neither its page nor its scripts have an absolute URL", async () => {
    const own = (await build()).filter(({ path }) => /\.html$|sw\.js$|shell\.js$/.test(path));
    assertEquals(own.length, 3);
    assertEquals(own.filter(({ text }) => /\b(?:https?|wss?):\/\//.test(text)), []);
    const all = (await build()).map(({ text }) => text).join("\n");
    assertEquals(/from"node:|import\("node:/.exec(all), null);
    // Pages of the lab link to specifications; nothing may load from there.
    const loaded =
      /(?:import\(|\bfrom|\burl\(|\bsrc[=:]|importScripts\()\s*["'`]?(?:https?:)?\/\/[^"'`)]*/;
    assertEquals(loaded.exec(all), null);
  });
});

describe("The playground", () => {
  for (const path of ["/", "/hallpass/"]) {
    it(
      `goes through a whole flow at ${path}, and sends nothing to another origin`,
      { skip },
      () =>
        visiting(async ({ tab, url }) => {
          await signIn(tab);
          await insideReads(tab, "Exchange");
          const left = `${inside}.querySelector("[data-until]").textContent`;
          const atFirst = JSON.stringify(await tab.evaluate(left));
          await until(tab, `${left} !== ${atFirst}`);
          await pressButton(tab, "Exchange");
          await insideReads(tab, "id_token");
          const address = await tab.evaluate<string>("document.getElementById('address').value");
          assertMatch(address, /tab-[^/]+\/authorized\?code=.+&state=.+#exchange$/);
          assert(address.startsWith(`${url}tab-`));
          const names = "performance.getEntriesByType('resource').map(({ name }) => name)";
          const requested = [
            ...await tab.evaluate<string[]>(names),
            ...await tab.evaluate<string[]>(`${inside}.defaultView.${names}`),
          ];
          assert(requested.length >= 5, requested.join());
          assertEquals(requested.filter((each) => !each.startsWith(url)), []);
          await goInside(tab, "/lab/report");
          await insideReads(tab, "Report");
          assertEquals(tab.complaints, []);
        }, { path }),
    );
  }

  it(
    "signs in on a device, and shows flows as they happen",
    { skip },
    () =>
      visiting(async ({ tab }) => {
        await goInside(tab, "/lab/flows");
        await until(tab, `${inside}?.querySelector("#connection[data-state=open]")`);
        const before = JSON.stringify(
          await tab.evaluate(`${inside}.querySelector("main").innerText`),
        );
        const userCode = await tab.evaluate<string>(`(async () => {
        const issuer = document.getElementById("address").value.replace(/\\/lab\\/flows$/, "");
        const inFrame = document.getElementById("lab").contentWindow;
        const response = await inFrame.fetch(issuer + "/oauth2/device_authorization", {
          method: "POST",
          body: new URLSearchParams({ client_id: "demo-cli", scope: "openid" }),
        });
        return (await response.json()).user_code;
      })()`);
        await until(tab, `${inside}.querySelector("main").innerText !== ${before}`);
        await goInside(tab, `/device?user_code=${userCode}`);
        await pressButton(tab, "Yes, continue");
        await pressButton(tab, "Alice");
        await pressButton(tab, "Allow");
        await until(tab, `!${inside}?.querySelector("#allow")`);
        assertEquals(tab.complaints, []);
      }),
  );

  it(
    "lists every preset, and opens one from a link or the bar",
    { skip },
    () =>
      visiting(async ({ tab }) => {
        const names = await tab.evaluate<string[]>(
          "[...document.getElementById('preset').options].map(({ value }) => value)",
        );
        assertEquals(names.length, 13);
        assertEquals(await tab.evaluate("document.getElementById('preset').value"), "github");
        for (const name of ["entra", "apple", ""]) {
          await tab.evaluate(`(() => {
          const preset = document.getElementById("preset");
          preset.value = ${JSON.stringify(name)};
          preset.dispatchEvent(new Event("change"));
        })()`);
          await until(tab, "document.getElementById('lab').hidden === false");
          await until(tab, `${inside}?.querySelector("main h1")`);
        }
        assertEquals(tab.complaints, []);
      }, { hash: "#preset=github" }),
  );

  it(
    "has an application in a sandbox, and says what is wrong with each broken one",
    { skip },
    () =>
      visiting(async ({ tab }) => {
        await until(tab, "document.getElementById('source').value !== ''");
        await signInFromApplication(tab, "#run");
        await pressButton(tab, "Alice");
        await pressButton(tab, "Allow");
        await insideReads(tab, "Back in the application");
        assertMatch(
          await tab.evaluate("document.getElementById('address').value"),
          /tab-\w+\.app\/callback\?code=.+&state=/,
        );
        for (const { name, finding } of brokenApplications) {
          await signInFromApplication(tab, `[href="#app=${name}"]`);
          await until(tab, "document.querySelector('#verdict li')");
          const report = JSON.parse(await tab.evaluate<string>(fromLab("/lab/report")));
          const ids = [...report.findings, ...report.refused].map(({ id }) => id);
          assert(ids.includes(finding), `${name}: ${ids}`);
        }
        assertEquals(tab.complaints, []);
      }, { hash: "#app=correct" }),
  );

  it(
    "keeps the application from the shell, and from everything but the lab",
    { skip },
    () =>
      visiting(async ({ tab, url }) => {
        await until(tab, "document.getElementById('source').value !== ''");
        await tab.evaluate(`document.getElementById("source").value =
          ${JSON.stringify(escapingSource(url))}`);
        await tab.evaluate("document.getElementById('run').click()");
        await eventually(async () => {
          const exchanges = await tab.evaluate<string>(fromLab("/lab/requests"));
          const [, results = ""] = /results=([\w,]+)/.exec(exchanges) ?? [];
          assertEquals(results, escapes.map(() => "refused").join());
        });
      }, { hash: "#app=correct" }),
  );

  it("begins the flow that a link names", { skip }, () =>
    visiting(async ({ tab }) => {
      await pressButton(tab, "Alice");
      assertEquals(tab.complaints, []);
    }, { hash: "#flow=start" }));

  it(
    "is a lab of its own in each tab, which ends with the tab",
    { skip },
    () =>
      visiting(async ({ tab, url }) => {
        await withChromium(async (other) => {
          await other.goto(url);
          await until(other, `${inside}?.querySelector("main h1")`);
          const address = "document.getElementById('address').value";
          const [one, two] = [await tab.evaluate<string>(address), await other.evaluate(address)];
          assert(one !== two);
          await other.goto(one);
          assertMatch(await other.text("h1"), /This lab has ended/);
        });
      }),
  );

  it(
    "works without a network after the first visit",
    { skip },
    () =>
      visiting(async ({ tab, url, goOffline }) => {
        const kept = "caches.keys().then(([name]) => caches.open(name))" +
          ".then((cache) => cache.keys()).then(({ length }) => length)";
        const { length } = await build();
        // The service worker itself is none of the files that it keeps.
        await eventually(async () => assert(await tab.evaluate<number>(kept) >= length - 1));
        await goOffline();
        await tab.goto(url);
        await until(tab, `${inside}?.querySelector("main h1")`);
        await signIn(tab);
        await insideReads(tab, "Exchange");
      }),
  );

  it(
    "says in one sentence why there is no lab without a service worker",
    { skip },
    () =>
      visiting(async ({ tab, url }) => {
        await tab.send("Page.addScriptToEvaluateOnNewDocument", {
          source:
            "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });",
        });
        await tab.goto(url);
        assertMatch(await tab.text("#state"), /^The lab needs a service worker, which .*\.$/);
      }),
  );

  it(
    "has a bar that axe and the keyboard find right, wide and narrow",
    { skip },
    () =>
      visiting(async ({ tab }) => {
        await tab.evaluate("document.body.focus()");
        const reached: string[] = [];
        for (let count = 0; count < 9; count++) {
          await press(tab, "Tab");
          reached.push(
            await tab.evaluate("document.activeElement.id || document.activeElement.tagName"),
          );
        }
        assertEquals(
          reached,
          [
            ...["preset", "open-application", "reset", "copy", "SUMMARY"],
            ...["back", "forward", "reload", "address"],
          ],
        );
        const looks = [
          { width: 1280, theme: "light", rules: "all" },
          { width: 360, theme: "dark", rules: "colors" },
        ] as const;
        assertEquals(await problemsOf(tab, looks), []);
      }),
  );
});
