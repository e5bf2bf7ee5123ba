import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { chromium } from "../../support/chromium.ts";
import { inBrowser, until } from "../../support/in_browser.ts";
import { authorizationUrlIn, flowCode, redeemIn } from "../../support/lab_flow.ts";
import { present } from "../../support/present.ts";
import { press } from "./keyboard.ts";
import { everyLook, problemsOf } from "./page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

function lastId(lab: Lab): number {
  return present(lab.exchanges().at(-1)).id;
}

/** Replays a token request with changes, and an authorization request with strange values. */
async function replaySome(lab: Lab): Promise<string[]> {
  await redeemIn(lab, await flowCode(lab));
  const token = lastId(lab);
  const parameters = { redirect_uri: `http://localhost/${"long".repeat(100)}`, extra: ["1", "2"] };
  const changed = await lab.replay(token, { parameters });
  const repeated = await lab.replay(token);
  await lab.fetch(new Request(authorizationUrlIn(lab, { state: hostile, [hostile]: "x" })));
  const strange = lastId(lab);
  const { replay } = await lab.replay(strange, { parameters: { [hostile]: hostile } });
  return [
    ...[token, strange].map((id) => `/exchanges/${id}/edit`),
    ...[changed.replay, repeated.replay, replay].map(({ id }) => `/replays/${id}`),
  ];
}

describe("In Chromium, a replay with one change", () => {
  it("is accessible and fits at every width, whatever clients send", { skip }, async () => {
    await inBrowser({}, async (tab, _, lab) => {
      const problems: string[] = [];
      for (const path of await replaySome(lab)) {
        await tab.goto(`${lab.issuer}/lab${path}`);
        const found = await problemsOf(tab, everyLook);
        problems.push(...found.map((problem) => `${path}, ${problem}`));
      }
      assertEquals(problems, []);
      assertEquals(tab.complaints, []);
    });
  });

  it("is made with the keyboard alone, without scripts", { skip }, async () => {
    await inBrowser({}, async (tab, _, lab) => {
      await redeemIn(lab, await flowCode(lab));
      await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
      await tab.goto(`${lab.issuer}/lab/exchanges/${lastId(lab)}/edit`);
      await tab.evaluate("document.querySelector('#parameter-3-name').focus()");
      await press(tab, "Tab");
      assertEquals(await tab.evaluate("document.activeElement.id"), "parameter-3-value");
      await tab.type("#parameter-3-value", "http://localhost:3000/other");
      await press(tab, "Enter");
      await until(tab, "document.querySelector('#summary') !== null");
      assertMatch(await tab.text("#summary"), /The replay broke the rule code\.redirect_uri/);
    });
  });
});
