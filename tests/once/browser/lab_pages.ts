import type { Tab } from "../../support/chromium.ts";
import { encode } from "../../support/kit.ts";
import type { ShownPage } from "../../support/page_quality.ts";
import { reportPages } from "./report_pages.ts";
import { shopRequest } from "./server_pages.ts";

/** Signs in with one click, and lets the shop have its code. */
async function completeFlow(tab: Tab, issuer: string): Promise<void> {
  await tab.goto(shopRequest(issuer, { prompt: "consent" }));
  await tab.click("#one-click-alice");
  await tab.click("#allow");
}

/** Returns the address of the flow that a lab shows first. */
async function firstFlow(tab: Tab, issuer: string): Promise<string> {
  await tab.goto(`${issuer}/lab/flows`);
  return await tab.evaluate<string>("document.querySelector('a[href*=\"/lab/flows/\"]').href");
}

/** The pages of a lab. A new page of the lab belongs into this list. */
export const labPages: readonly ShownPage[] = [
  { name: "home", open: (tab, issuer) => tab.goto(`${issuer}/`) },
  {
    name: "home, signed in",
    async open(tab, issuer) {
      await completeFlow(tab, issuer);
      await tab.goto(`${issuer}/`);
    },
  },
  {
    name: "authorized, of an unknown flow",
    open: (tab, issuer) => tab.goto(`${issuer}/authorized?${encode({ code: "c", state: "s" })}`),
  },
  {
    name: "authorized, with an error",
    open: (tab, issuer) =>
      tab.goto(
        `${issuer}/authorized?${encode({ error: "access_denied", error_description: "No." })}`,
      ),
  },
  {
    name: "flows",
    async open(tab, issuer) {
      await completeFlow(tab, issuer);
      await tab.goto(`${issuer}/lab/flows`);
    },
  },
  {
    name: "one flow",
    async open(tab, issuer) {
      await completeFlow(tab, issuer);
      await tab.goto(await firstFlow(tab, issuer));
    },
  },
  ...reportPages,
];
