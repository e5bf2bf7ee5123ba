import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { chromium } from "../../support/chromium.ts";
import { inBrowser, inBrowserWith, until } from "../../support/in_browser.ts";
import { itWith } from "../../support/it_with.ts";
import { authorizationUrlIn, flowCode, redeemIn, refreshIn } from "../../support/lab_flow.ts";
import { lookAt } from "../../support/page_quality.ts";
import { needs } from "../../support/where_feature.ts";
import { press } from "./keyboard.ts";
import { everyLook, problemsOf } from "./page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

/** A flow with everything that makes a page long or strange. */
async function playStrangeFlows(lab: Lab): Promise<void> {
  const { refresh_token } = await redeemIn(lab, await flowCode(lab));
  await refreshIn(lab, refresh_token);
  await refreshIn(lab, refresh_token);
  const changes = { client_id: hostile, state: "s".repeat(300), scope: hostile };
  await lab.fetch(new Request(authorizationUrlIn(lab, changes)));
  await redeemIn(lab, hostile, { client_id: `${"c".repeat(200)}` });
  await lab.fetch(new Request(`${lab.issuer}/oauth2/${"path".repeat(40)}`));
}

const it = itWith({ inBrowser: inBrowserWith() });

describe("In Chromium, the flows of a lab", () => {
  it.inBrowser(
    "appear while a client runs them, and a chosen step opens without a reload",
    async (tab, _, lab) => {
      await tab.goto(`${lab.issuer}/lab/flows`);
      await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
      await tab.evaluate("window.isSame = true");
      const code = await flowCode(lab);
      await until(tab, "document.querySelector('#flows').textContent.includes('Code issued')");
      await tab.goto(`${lab.issuer}/lab/flows/flow-1`);
      await tab.evaluate("window.isSame = true");
      await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
      await redeemIn(lab, code, { code_verifier: "w".repeat(43) });
      await until(tab, "document.querySelector('#refusal') !== null");
      await tab.evaluate(
        "document.querySelector('#arrow-2').dispatchEvent(" +
          "new MouseEvent('click', { bubbles: true, cancelable: true }))",
      );
      await until(tab, "document.querySelector('#step h2').textContent.includes('GET /oauth2')");
      assertMatch(await tab.url(), /step=2$/);
      await tab.evaluate("history.back()");
      await until(tab, "document.querySelector('#refusal') !== null");
      assertEquals(await tab.evaluate("window.isSame"), true);
      assertEquals(tab.complaints, []);
    },
  );

  it.inBrowser("work without scripts", async (tab, _, lab) => {
    await redeemIn(lab, await flowCode(lab));
    await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
    await tab.goto(`${lab.issuer}/lab/flows`);
    await tab.click("#flows a");
    assertMatch(await tab.url(), /\/lab\/flows\/flow-1$/);
    await tab.goto(`${lab.issuer}/lab/flows/flow-1?step=2`);
    assertMatch(await tab.text("#step h2"), /GET \/oauth2\/authorize/);
  });

  it.inBrowser(
    "are accessible and fit in light, dark, 1280 and 360 pixels, whatever clients send",
    async (tab, _, lab) => {
      await playStrangeFlows(lab);
      const problems: string[] = [];
      const others = lab.exchanges().slice(-2).map(({ id }) => `/request-${id}`);
      for (const path of ["", "/flow-1", "/flow-1?secrets=on&step=8", "/flow-2", ...others]) {
        await tab.goto(`${lab.issuer}/lab/flows${path}`);
        const found = await problemsOf(tab, everyLook);
        problems.push(...found.map((problem) => `${path}, ${problem}`));
      }
      assertEquals(problems, []);
      assertEquals(tab.complaints, []);
    },
  );

  it.inBrowser(
    "U6: are chosen with j and k, but only while the list has the focus (WCAG 2.1.4)",
    async (tab, _, lab) => {
      await redeemIn(lab, await flowCode(lab));
      await redeemIn(lab, await flowCode(lab, { state: "b" }), { code_verifier: "w".repeat(43) });
      await lookAt(tab, { width: 1280, theme: "light" });
      await tab.goto(`${lab.issuer}/lab/flows`);
      await press(tab, "j");
      assertEquals(await tab.evaluate("location.search"), "");
      await tab.evaluate("document.querySelector('#flows a').focus()");
      await tab.evaluate("document.activeElement.click()");
      await until(tab, "location.search === '?flow=flow-2'");
      await until(tab, "document.querySelector('#preview #refusal') !== null");
      await press(tab, "j");
      await until(tab, "location.search === '?flow=flow-1'");
      await until(tab, "document.querySelector('#preview .sequence') !== null");
      const announced =
        "[...document.querySelectorAll('[role=status]')].map((each) => each.textContent)";
      assertMatch(
        await tab.evaluate<string>(`${announced}.join()`),
        /alice → demo-spa Tokens issued/,
      );
      await press(tab, "k");
      await until(tab, "location.search === '?flow=flow-2'");
      // Keys come faster than the list follows.
      await tab.goto(`${lab.issuer}/lab/flows?flow=flow-2`);
      await tab.evaluate("document.querySelector('#flows a').focus()");
      const chosen = await tab.evaluate(`[..."jk"].map((key) => {
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      return location.search;
    })`);
      assertEquals(chosen, ["?flow=flow-1", "?flow=flow-2"]);
      assertEquals(tab.complaints, []);
    },
  );

  it.inBrowser(
    "U6: move no row under the pointer, and follow as soon as it is gone",
    async (tab, _, lab) => {
      await redeemIn(lab, await flowCode(lab));
      await lookAt(tab, { width: 1280, theme: "light" });
      await tab.goto(`${lab.issuer}/lab/flows`);
      await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
      const { x, y } = await tab.evaluate<{ x: number; y: number }>(
        "(({ x, y }) => ({ x: x + 5, y: y + 5 }))(document.querySelector('.row').getBoundingClientRect())",
      );
      await tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
      await until(tab, "document.querySelector('#flows:hover') !== null");
      await redeemIn(lab, await flowCode(lab, { state: "b" }));
      await until(tab, "document.querySelector('#count-flows').textContent === '2'");
      assertEquals(await tab.evaluate("document.querySelectorAll('#flows .row').length"), 1);
      await tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 5, y: 5 });
      await until(tab, "document.querySelectorAll('#flows .row').length === 2");
    },
  );

  it(
    "R7: change no button that registers a redirect_uri while the pointer is on it",
    { skip: skip || needs("redirect_uris").skip },
    async () => {
      await inBrowser({}, async (tab, _, lab) => {
        const refuse = (path: string) => {
          const redirect_uri = `http://localhost:3000/${path}`;
          return lab.fetch(new Request(authorizationUrlIn(lab, { redirect_uri })));
        };
        const button = "document.querySelector('#register-uri button')";
        await refuse("first");
        await lookAt(tab, { width: 1280, theme: "light" });
        await tab.goto(`${lab.issuer}/`);
        await until(tab, "document.querySelector('#connection').dataset.state === 'open'");
        const { x, y } = await tab.evaluate<{ x: number; y: number }>(
          `(({ x, y }) => ({ x: x + 5, y: y + 5 }))(${button}.getBoundingClientRect())`,
        );
        await tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
        await until(tab, `${button}.matches(':hover')`);
        await refuse("second");
        await until(tab, "document.querySelector('#count-flows').textContent === '2'");
        assertMatch(await tab.text("#register-uri"), /\/first$/);
        await tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 5, y: 5 });
        await until(tab, `${button}.textContent.endsWith('/second')`);
      });
    },
  );

  it.inBrowser("can be walked through with the keyboard", async (tab, _, lab) => {
    await redeemIn(lab, await flowCode(lab));
    await tab.goto(`${lab.issuer}/lab/flows/flow-1`);
    await tab.evaluate("document.querySelector('#arrow-2').focus()");
    await press(tab, "Tab");
    assertEquals(await tab.evaluate("document.activeElement.id"), "arrow-3");
    await press(tab, "Enter");
    await until(tab, "location.search === '?step=3'");
    await until(tab, "document.querySelector('#arrow-3').getAttribute('aria-current') === 'step'");
    assert(await tab.evaluate("document.activeElement.id === 'arrow-3'"));
  });
});
