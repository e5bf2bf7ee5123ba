import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { hostOf } from "../../../scripts/built_files.ts";
import type { Tab } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { until } from "../../support/in_browser.ts";
import { everyLook, problemsOf } from "../browser/page_problems.ts";
import { describePlayground } from "./playground_flows.ts";
import {
  build,
  inChromium,
  inside,
  insideReads,
  type PlaygroundTab,
  signIn,
  signInFromApplication,
  untilKept,
  type Visit,
  visiting,
} from "./playground_visit.ts";

describe("The playground, built", () => {
  it("names no host: neither its page nor its scripts have an absolute URL", async () => {
    const own = (await build()).filter(({ path }) => /\.html$|sw\.js$|shell\.js$/.test(path));
    assertEquals(own.length, 3);
    assertEquals(own.filter(({ content }) => /\b(?:https?|wss?):\/\//.test(content)), []);
    const all = (await build()).map(({ content }) => content).join("\n");
    assertEquals(/from"node:|import\("node:/.exec(all), null);
    // Pages of the lab link to specifications; nothing may load from there.
    const loaded =
      /(?:import\(|\bfrom|\burl\(|\bsrc[=:]|importScripts\()\s*["'`]?(?:https?:)?\/\/[^"'`)]*/;
    assertEquals(loaded.exec(all), null);
  });
});

describePlayground(inChromium);

describe("The page of the playground", () => {
  const visit = (title: string, use: (visit: Visit<PlaygroundTab & Tab>) => Promise<void>) =>
    it(title, { skip: inChromium.skip }, () => visiting(inChromium, use));

  visit("loads at most 265 kB, compressed, until its first page", async ({ fetched }) => {
    // With the first page, the browser begins to fetch the rest, to work without a network, and
    // the application next to it.
    const isRest = (path: string) => /\/(?:files\.json|application\.js)$/.test(path);
    await eventually(async () => assert(fetched.some(isRest)));
    const loaded = fetched.slice(0, fetched.findIndex(isRest));
    const names = loaded.map((path) => path.replace(/^.*\//, "")).toSorted();
    // The service worker fetches the page for itself.
    assertEquals(names, [
      ...["", "", "icon.svg", "playground.css", "shell.js", "sw.js", "worker.js"],
    ]);
    const host = hostOf(await build());
    const sizes = await Promise.all(loaded.map(async (path) => {
      const content = await host(new Request(`http://playground.test${path}`)).bytes();
      return gzipSync(content, { level: 9 }).length;
    }));
    const bytes = sizes.reduce((sum, size) => sum + size);
    // 258 kB on 2026-11-26, with the sentences that decide and the declarations of operations.
    assert(bytes <= 265_000, `The first load has ${bytes} bytes.`);
  });

  visit("says in one sentence why there is no lab without a service worker", async ({
    tab,
    url,
  }) => {
    await tab.send("Page.addScriptToEvaluateOnNewDocument", {
      source: "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });",
    });
    await tab.goto(url);
    assertMatch(await tab.text("#state"), /^The lab needs a service worker, which .*\.$/);
  });

  visit("has a bar that axe and the keyboard find right, wide and narrow", async ({ tab }) => {
    const reached: string[] = [];
    for (let count = 0; count < 9; count++) {
      await tab.press("Tab");
      reached.push(
        await tab.evaluate("document.activeElement.id || document.activeElement.tagName"),
      );
    }
    assertEquals(reached, [
      ...["preset", "open-application", "reset", "SUMMARY"],
      ...["back", "forward", "reload", "address", "copy"],
    ]);
    await until(tab, "document.getElementById('source').value !== ''");
    assertEquals(await problemsOf(tab, everyLook), []);
  });

  visit("opens with an application next to its lab, where there is room", async ({ tab }) => {
    await until(tab, "document.getElementById('source').value !== ''");
    const [end, start] = await tab.evaluate<[number, number]>(`[
      document.getElementById("lab").getBoundingClientRect().right,
      document.getElementById("application").getBoundingClientRect().left]`);
    assertEquals(end, start);
    const button = "document.getElementById('open-application')";
    assertEquals(await tab.evaluate(`${button}.ariaExpanded`), "true");
    await tab.evaluate(`${button}.click()`);
    assertEquals(await tab.evaluate("document.getElementById('application').hidden"), true);
  });

  visit("leaves nine tenths of a narrow window to the lab, and shows what is opened", async ({
    tab,
    url,
  }) => {
    const size = { width: 360, height: 740, deviceScaleFactor: 1, mobile: false };
    await tab.send("Emulation.setDeviceMetricsOverride", size);
    await tab.goto(url);
    await until(tab, `${inside}?.querySelector("main h1")`);
    const bottom = "document.querySelector('header').getBoundingClientRect().bottom";
    assert(await tab.evaluate<number>(bottom) <= 88);
    const isShown = (id: string) =>
      until(
        tab,
        `((box) => box.top >= 80 && box.top < 640)(
        document.getElementById(${JSON.stringify(id)}).getBoundingClientRect())`,
      );
    await tab.evaluate("document.getElementById('open-application').click()");
    await until(tab, "document.getElementById('source').value !== ''");
    await isShown("application-frame");
    await signInFromApplication(tab, "[href='#app=no-pkce']");
    await until(tab, "document.querySelector('#verdict li')");
    await isShown("application-frame");
    await isShown("verdict");
  });

  visit("begins with a new version at the next load, and never under a lab", async ({
    tab,
    url,
    serveInstead,
  }) => {
    await untilKept(tab);
    const files = await build();
    const [, old = ""] = /^files-(\w+)/.exec(files[0]?.path ?? "") ?? [];
    const renewed = (text: string) => text.replaceAll(old, "01234567");
    await serveInstead(
      files.map(({ path, content }) => ({ path: renewed(path), content: renewed(content) })),
    );
    const version = "document.querySelector('script').src.match(/files-(\\w+)/)[1]";
    await tab.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())");
    const waits =
      "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)";
    await eventually(async () => assert(await tab.evaluate(waits)));
    await signIn(tab);
    await insideReads(tab, "Exchange");
    assertEquals(await tab.evaluate(version), old);
    // What the page before has asked for may last a moment: then the old version begins again.
    await eventually(async () => {
      await tab.goto(url);
      await until(tab, `${inside}?.querySelector("main h1")`);
      await signIn(tab);
      await insideReads(tab, "Exchange");
      assertEquals(await tab.evaluate(version), "01234567");
    });
  });
});
