import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import { providerNames } from "../../../src/lab/features/providers/config.ts";
import { brokenApplications } from "../../../src/playground/broken_applications.ts";
import { eventually } from "../../support/eventually.ts";
import { until } from "../../support/in_browser.ts";
import {
  followInside,
  goInside,
  inside,
  insideReads,
  type PlaygroundTab,
  pressButton,
  readInside,
  signIn,
  signInFromApplication,
  type TestBrowser,
  untilKept,
  type Visit,
  visiting,
} from "./playground_visit.ts";

const address = "document.getElementById('address').value";

/** Chooses what the lab plays, as a user does in the bar. */
async function choosePreset(tab: PlaygroundTab, name: string): Promise<void> {
  await tab.evaluate(choose(name));
  await until(tab, isOpen);
}

/** A page that a script leaves before it has loaded is replaced in the history. */
const isOpen = `!document.getElementById("lab").hidden && ${inside}?.readyState === "complete" &&
  ${inside}.querySelector("main h1")`;

const choose = (name: string) =>
  `(() => {
    const preset = document.getElementById("preset");
    preset.value = ${JSON.stringify(name)};
    preset.dispatchEvent(new Event("change"));
  })()`;

/** Presses a key until an element is focused; in the lab, if its page is. */
async function tabTo(tab: PlaygroundTab, isReached: string): Promise<void> {
  for (let count = 0; count < 60; count++) {
    const reached = `((element) => ${isReached})(document.activeElement.id === "lab"
      ? ${inside}.activeElement : document.activeElement)`;
    if (await tab.evaluate(`Boolean(${reached})`)) return;
    await tab.press("Tab");
  }
  throw new Error(`No key reaches: ${isReached}`);
}

/** Follows what the keyboard reaches: a button whose text begins so, on a page that has loaded. */
async function pressByKey(tab: PlaygroundTab, text: string): Promise<void> {
  const begins = `.textContent.trim().startsWith(${JSON.stringify(text)})`;
  const buttons = `[...${inside}?.querySelectorAll("button, summary") ?? []]`;
  await until(
    tab,
    `${inside}?.readyState === "complete" && ${buttons}.some((each) =>
    each${begins} && !each.matches(":disabled, [aria-disabled=true]"))`,
  );
  await tabTo(tab, `element.matches("button, summary") && element${begins}`);
  await tab.press("Enter");
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

interface VisitOptions {
  path?: string;
  hash?: string;
  /** Whether the short form has it, too: it shows that a browser can run a lab at all. */
  isBasic?: boolean;
}

/** What a person does in the playground, and sees, in any browser; or a short form of it. */
export function describePlayground(browser: TestBrowser, { isShort = false } = {}): void {
  /** Opens the playground for a test, and looks for what the browser complains about. */
  function visit(
    title: string,
    use: (visit: Visit) => Promise<void>,
    { isBasic = false, ...options }: VisitOptions = {},
  ): void {
    if (isShort && !isBasic) return;
    it(title, { skip: browser.skip }, () =>
      visiting(browser, async (opened) => {
        await use(opened);
        assertEquals(opened.tab.complaints, []);
      }, options));
  }

  describe(`The playground in ${browser.name}`, () => {
    for (const path of ["/", "/hallpass/"]) {
      visit(`goes through a whole flow at ${path}, and sends nothing to another origin`, async ({
        tab,
        url,
        left,
      }) => {
        await signIn(tab);
        await insideReads(tab, "Exchange");
        const countdown = `${inside}.querySelector("[data-until]").textContent`;
        const atFirst = JSON.stringify(await tab.evaluate(countdown));
        await until(tab, `${countdown} !== ${atFirst}`);
        await pressButton(tab, "Exchange");
        await insideReads(tab, "id_token");
        await until(tab, `${address}.endsWith("#exchange")`);
        const shown = await tab.evaluate<string>(address);
        assertMatch(shown, /tab-[^/]+\/authorized\?code=.+&state=.+#exchange$/);
        assert(shown.startsWith(`${url}tab-`));
        await goInside(tab, "/lab/report");
        await insideReads(tab, "Report");
        assertEquals(left, []);
        // What would leave is seen, from a page and from a worker.
        await tab.evaluate(`fetch("http://page.test/").catch(() => {})`);
        const source = `"fetch('http://worker.test/').finally(() => postMessage(0))"`;
        await tab.evaluate(`new Promise((resolve) =>
          new Worker(URL.createObjectURL(new Blob([${source}]))).onmessage = resolve)`);
        assertMatch(left.join(), /page\.test.*worker\.test/);
        tab.complaints.length = 0;
      }, { path, isBasic: path !== "/" });
    }

    visit("signs in on a device, and shows flows as they happen", async ({ tab }) => {
      await goInside(tab, "/lab/flows");
      await until(tab, `${inside}?.querySelector("#connection[data-state=open]")`);
      const flows = `${inside}.querySelector("main").innerText`;
      const before = JSON.stringify(await tab.evaluate(flows));
      const response = await readInside(tab, "/oauth2/device_authorization", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "client_id=demo-cli&scope=openid",
      });
      await until(tab, `${flows} !== ${before}`);
      await goInside(tab, `/device?user_code=${JSON.parse(response).user_code}`);
      await pressButton(tab, "Yes, continue");
      await pressButton(tab, "Alice");
      await pressButton(tab, "Allow");
      await until(tab, `!${inside}?.querySelector("#allow")`);
    });

    visit("signs a user out", async ({ tab }) => {
      await signIn(tab);
      await insideReads(tab, "Exchange");
      await followInside(tab, "/oauth2/logout");
      await pressButton(tab, "Sign out");
      await insideReads(tab, "signed out");
      await goInside(tab, "/");
      await pressButton(tab, "Start");
      await insideReads(tab, "Alice");
    });

    visit("goes back to the first page of its lab, and no further", async ({ tab }) => {
      const back = "document.getElementById('back').click()";
      const first = JSON.stringify(await tab.evaluate(address));
      for (const path of ["/lab/flows", "/lab/report"]) {
        await goInside(tab, path);
        await until(tab, `${address}.endsWith(${JSON.stringify(path)})`);
      }
      for (const path of ["/lab/flows", "/"]) {
        await tab.evaluate(back);
        await until(tab, `${address}.endsWith(${JSON.stringify(path)})`);
      }
      // A choice on the page is no other page.
      await tab.evaluate(`${inside}.querySelector("#library")
        .dispatchEvent(new InputEvent("input", { bubbles: true }))`);
      await until(tab, `${inside}.location.search !== ""`);
      await tab.evaluate(back);
      await goInside(tab, "/lab/rules");
      // Nor is a page of the lab before, while a new one starts.
      await tab.evaluate(`${choose("okta")}, ${back}`);
      await until(tab, isOpen);
      await goInside(tab, "/lab/rules");
      await tab.evaluate(back);
      await until(tab, `${address} === ${first}`);
    });

    visit("goes through a flow by the keyboard alone", async ({ tab }) => {
      await tab.evaluate("document.getElementById('preset').focus()");
      for (const text of ["Start", "Alice", "Allow", "Exchange"]) await pressByKey(tab, text);
      await insideReads(tab, "id_token");
    });

    visit("plays every provider, and signs a user in at each", async ({ tab }) => {
      const names = await tab.evaluate<string[]>(
        "[...document.getElementById('preset').options].map(({ value }) => value)",
      );
      assertEquals(names, ["", ...providerNames]);
      for (const name of names.toReversed()) {
        await choosePreset(tab, name);
        await signIn(tab);
        await until(tab, `/\\/authorized\\?code=/.test(${address})`);
      }
    }, { hash: "#preset=github" });

    visit("asks before a lab with flows is replaced, or left", async ({ tab }) => {
      const labs = () => tab.evaluate<string>("document.getElementById('preset').value");
      await choosePreset(tab, "google");
      assertEquals(tab.dialogs, []);
      await pressButton(tab, "Start");
      await until(tab, `/oauth2.interaction/.test(${address})`);
      tab.acceptsDialogs = false;
      await choosePreset(tab, "okta");
      assertEquals([await labs(), ...tab.dialogs], ["google", "confirm"]);
      tab.acceptsDialogs = true;
      await choosePreset(tab, "okta");
      assertEquals([await labs(), ...tab.dialogs], ["okta", "confirm", "confirm"]);
    });

    visit("asks before a reload that loses flows, and begins anew", async ({ tab }) => {
      const first = await tab.evaluate<string>(address);
      await tab.clickAt(5, 5);
      await tab.reload();
      await until(tab, `${address} !== "" && ${address} !== ${JSON.stringify(first)}`);
      assertEquals(tab.dialogs, []);
      await until(tab, `${inside}?.querySelector("main h1")`);
      await signIn(tab);
      await insideReads(tab, "Exchange");
      await tab.clickAt(5, 5);
      await tab.reload();
      await until(tab, `${address}.endsWith("/") && ${inside}?.querySelector("main h1")`);
      assertEquals(tab.dialogs, ["beforeunload"]);
      assertEquals(
        JSON.parse(
          await readInside(tab, "/lab/flows", { headers: { Accept: "application/json" } }),
        ),
        [],
      );
    });

    visit(
      "has an application in a sandbox, and says what is wrong with each broken one",
      async ({ tab }) => {
        await until(tab, "document.getElementById('source').value !== ''");
        await signInFromApplication(tab, "#run");
        await pressButton(tab, "Alice");
        await pressButton(tab, "Allow");
        await until(tab, `/\\/lab\\/flows\\/flow-1$/.test(${address})`);
        await insideReads(tab, "Tokens issued");
        for (const { name, finding } of brokenApplications) {
          await signInFromApplication(tab, `[href="#app=${name}"]`);
          await until(tab, "document.querySelector('#source.marked')");
          assertMatch(
            await tab.evaluate("document.getElementById('hint').textContent"),
            /^Line \d+ is the mistake\. It acts with the next sign-in\.$/,
          );
          await until(tab, "document.querySelector('#verdict li')");
          await eventually(async () => {
            const report = JSON.parse(
              await readInside(tab, "/lab/report", { headers: { Accept: "application/json" } }),
            );
            const ids = [...report.findings, ...report.refused].map(({ id }) => id);
            assert(ids.includes(finding), `${name}: ${ids}`);
          });
        }
      },
      { hash: "#app=correct" },
    );

    visit("has the application at a provider, too", async ({ tab }) => {
      await until(tab, "document.getElementById('source').value !== ''");
      await signInFromApplication(tab, `[href="#app=wrong-verifier"]`);
      await pressButton(tab, "Alice");
      await pressButton(tab, "Allow");
      await until(tab, "document.querySelector('#verdict li')?.innerText.includes('verifier')");
    }, { hash: "#preset=keycloak&app=correct" });

    visit("keeps the application from the shell, and from everything but the lab", async ({
      tab,
      url,
      left,
    }) => {
      await until(tab, "document.getElementById('source').value !== ''");
      await tab.evaluate(`document.getElementById("source").value =
        ${JSON.stringify(escapingSource(url))}`);
      await tab.evaluate("document.getElementById('run').click()");
      await eventually(async () => {
        const [, results = ""] = /results=([\w,]+)/.exec(await readInside(tab, "/lab/requests")) ??
          [];
        assertEquals(results, escapes.map(() => "refused").join());
      });
      assertEquals(left, []);
      // Browsers may log what they refused.
      tab.complaints.length = 0;
    }, { hash: "#app=correct" });

    visit("refuses a form of a page that it does not know", async ({ tab }) => {
      // As a page of another origin does, which may hide where it is.
      await tab.evaluate(`(() => {
        const policy = Object.assign(document.createElement("meta"), { name: "referrer" });
        policy.content = "no-referrer";
        document.head.append(policy);
        const form = document.createElement("form");
        const action = ${address} + "lab/reset";
        Object.assign(form, { method: "post", action, target: "lab" });
        document.body.append(form);
        form.submit();
      })()`);
      await insideReads(tab, "Pages of 'null' may not use the lab.");
      // The browser logs the status.
      tab.complaints.length = 0;
    });

    visit("begins the flow that a link names, and copies such a link", async ({ tab, url }) => {
      await tab.evaluate(`navigator.clipboard.writeText = async (text) => { copied = text; }`);
      const copy = async () => {
        await tab.evaluate("document.getElementById('copy').click()");
        return await tab.evaluate("copied");
      };
      await until(tab, `/oauth2.interaction/.test(${address})`);
      assertEquals(await copy(), `${url}#preset=okta&flow=start`);
      await goInside(tab, "/lab/flows");
      await until(tab, `${address}.endsWith("/lab/flows")`);
      assertEquals(await copy(), `${url}#preset=okta`);
    }, { hash: "#flow=start&preset=okta" });

    visit("has the interface over HTTP, and tools for agents", async ({ tab }) => {
      await goInside(tab, "/lab/api");
      await insideReads(tab, "POST");
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const response = await readInside(tab, "/lab/mcp", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Accept": "application/json, text/event-stream",
          "MCP-Protocol-Version": "2025-11-25",
        },
        body: JSON.stringify(call),
      });
      assertMatch(response, /"tools":\[/);
    });

    visit("is a lab of its own in each tab, which ends with the tab", async ({
      tab,
      url,
      alsoOpen,
    }) => {
      await alsoOpen(async (other) => {
        await other.goto(url);
        await until(other, `${inside}?.querySelector("main h1")`);
        await until(other, `${address} !== ""`);
        // Firefox logs each script that a tab still loads when it is left.
        await untilKept(other);
        const own = await tab.evaluate<string>(address);
        assertNotEquals(own, await other.evaluate(address));
        await other.goto(own);
        assertMatch(await other.evaluate("document.body.innerText"), /This lab has ended/);
      });
    });

    visit("works without a network after the first visit", async ({ tab, url, goOffline }) => {
      await untilKept(tab);
      await goOffline();
      await tab.goto(url);
      await until(tab, `${inside}?.querySelector("main h1")`);
      await signIn(tab);
      await insideReads(tab, "Exchange");
      // The browser says that it cannot look for a new version.
      tab.complaints.length = 0;
    }, { isBasic: true });
  });
}
