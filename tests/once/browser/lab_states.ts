import { serve } from "../../../src/runtime/serve.ts";
import type { Tab } from "../../support/chromium.ts";
import { until } from "../../support/in_browser.ts";
import type { ShownPage } from "../../support/page_quality.ts";
import { send, sendJson } from "./send_json.ts";
import { shopRequest } from "./server_pages.ts";

/** Opens every part of a page that is folded. */
export async function unfold(tab: Tab, selector = "details"): Promise<void> {
  await tab.evaluate(
    `for (const each of document.querySelectorAll("${selector}")) each.open = true`,
  );
}

/** Drills an application that does not respond before the test has seen the page. */
function openRunningDrill(): Pick<ShownPage, "open" | "leave"> {
  const response = Promise.withResolvers<Response>();
  const parts: { leave?: () => Promise<void> } = {};
  return {
    async open(tab, issuer) {
      const listener = await serve({ fetch: () => response.promise }, { port: 0 });
      const start = `http://localhost:${listener.port}/`;
      const drilled = sendJson("POST", `${issuer}/lab/drill`, { start });
      parts.leave = async () => {
        response.resolve(new Response("No login here."));
        await drilled;
        await listener.close();
      };
      await tab.goto(`${issuer}/lab/drill`);
      await until(tab, "document.querySelector('#drill-bar')");
    },
    leave: async () => await parts.leave?.(),
  };
}

/** Pages of a lab that are empty, busy, refused or unfolded. */
export const labStates: readonly ShownPage[] = [
  {
    name: "flows, before the first one",
    async open(tab, issuer) {
      await sendJson("POST", `${issuer}/lab/reset`);
      await tab.goto(`${issuer}/lab/flows`);
    },
  },
  {
    name: "flows, more than a page has",
    async open(tab, issuer) {
      for (let at = 0; at < 30; at++) {
        await (await fetch(shopRequest(issuer, { redirect_uri: "https://evil.example" }))).text();
        await sendJson("POST", `${issuer}/oauth2/token`, {});
      }
      await tab.goto(`${issuer}/lab/flows`);
    },
  },
  {
    name: "N1: home, with an outcome that is longer than a line",
    async open(tab, issuer) {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ["gold"] } } });
      await send(shopRequest(issuer, { claims }));
      await tab.goto(`${issuer}/`);
    },
  },
  {
    name: "N1: flows, one of them changed by several faults",
    async open(tab, issuer) {
      const names = ["token.slow", "token.without_expires_in", "id_token.wrong_aud"];
      for (const name of names) await sendJson("POST", `${issuer}/lab/faults`, { name });
      await tab.goto(`${issuer}/start?client_id=shop&prompt=consent`);
      await tab.click("#one-click-alice");
      await tab.click("#allow");
      await tab.click("#send-exchange button");
      await sendJson("DELETE", `${issuer}/lab/faults`);
      await tab.goto(`${issuer}/lab/flows`);
    },
  },
  { name: "users, none found", open: (tab, issuer) => tab.goto(`${issuer}/lab/users?q=nothing`) },
  { name: "rules, found", open: (tab, issuer) => tab.goto(`${issuer}/lab/rules?q=redirect_uri`) },
  { name: "operations, found", open: (tab, issuer) => tab.goto(`${issuer}/lab/api?q=fault`) },
  {
    name: "a new client, refused",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/lab/call/put-client`);
      await tab.type("#id", "new");
      await tab.type("[name=redirectUris]", "no URL");
      await tab.click("main form button[type=submit]");
      await until(tab, "document.querySelector('[aria-invalid=true]')");
    },
  },
  { name: "drill, running", ...openRunningDrill() },
];
