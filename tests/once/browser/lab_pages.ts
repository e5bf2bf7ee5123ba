import type { Tab } from "../../support/chromium.ts";
import { encode } from "../../support/kit.ts";
import type { ShownPage } from "../../support/page_quality.ts";
import { labStates, unfold } from "./lab_states.ts";
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

/** Turns a fault on, whose switch and strike the page then shows. */
async function turnFaultOn(tab: Tab, issuer: string): Promise<void> {
  await tab.goto(`${issuer}/lab/faults`);
  await tab.click("[value='jwks.server_error']");
  await tab.goto(`${issuer}/oauth2/jwks`);
}

/** Mints tokens, and leads to the page that explains them. */
async function mintTokens(tab: Tab, issuer: string): Promise<void> {
  await tab.goto(`${issuer}/lab/tokens`);
  await tab.type("#scope", "openid");
  await tab.click("#entry button[type=submit]");
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
    name: "home, with a request that is signed and pushed",
    open: (tab, issuer) =>
      tab.goto(`${issuer}/?client_id=demo-web&par=on&jar=on&dpop=on&prompt=login&user=alice`),
  },
  {
    name: "authorized, with tokens",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/start?client_id=shop&prompt=consent`);
      await tab.click("#one-click-alice");
      await tab.click("#allow");
      await tab.click("#send-exchange button");
      await tab.click("#send-userinfo button");
    },
  },
  {
    name: "authorized, of an unknown flow",
    open: (tab, issuer) => tab.goto(`${issuer}/authorized?${encode({ code: "c", state: "s" })}`),
  },
  {
    name: "authorized, without a response",
    open: (tab, issuer) => tab.goto(`${issuer}/authorized`),
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
  {
    name: "one flow, with tokens",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/start?client_id=shop&prompt=consent`);
      await tab.click("#one-click-alice");
      await tab.click("#allow");
      await tab.click("#send-exchange button");
      await tab.goto(await firstFlow(tab, issuer));
      await unfold(tab);
    },
  },
  {
    name: "a flow that was refused, with a long URL",
    async open(tab, issuer) {
      const url = `https://app.example/${"path".repeat(80)}`;
      await tab.goto(shopRequest(issuer, { redirect_uri: url }));
      await tab.goto(await firstFlow(tab, issuer));
    },
  },
  {
    name: "flows, filtered",
    async open(tab, issuer) {
      await completeFlow(tab, issuer);
      await tab.goto(`${issuer}/lab/flows?client=shop&refused=on&since=1h&q=uri`);
    },
  },
  {
    name: "flows, none left by the filter",
    open: (tab, issuer) => tab.goto(`${issuer}/lab/flows?q=${"nothing".repeat(30)}`),
  },
  ...reportPages,
  ...labStates,
  {
    name: "report, opened",
    async open(tab, issuer) {
      await tab.goto(shopRequest(issuer, { redirect_uri: "https://evil.example" }));
      await tab.goto(`${issuer}/lab/report`);
      await unfold(tab);
    },
  },
  {
    name: "faults",
    async open(tab, issuer) {
      await turnFaultOn(tab, issuer);
      await tab.goto(`${issuer}/lab/faults`);
      await tab.evaluate("document.querySelector('#more-scope').open = true");
    },
  },
  { name: "faults, found", open: (tab, issuer) => tab.goto(`${issuer}/lab/faults?q=token`) },
  { name: "tokens", open: mintTokens },
  { name: "clients", open: (tab, issuer) => tab.goto(`${issuer}/lab/clients`) },
  { name: "one client", open: (tab, issuer) => tab.goto(`${issuer}/lab/clients/strange`) },
  { name: "a new client", open: (tab, issuer) => tab.goto(`${issuer}/lab/call/put-client`) },
  { name: "setup", open: (tab, issuer) => tab.goto(`${issuer}/lab/setup`) },
  { name: "a new user", open: (tab, issuer) => tab.goto(`${issuer}/lab/call/put-user`) },
  { name: "approvals", open: (tab, issuer) => tab.goto(`${issuer}/lab/approvals`) },
  { name: "users", open: (tab, issuer) => tab.goto(`${issuer}/lab/users`) },
  { name: "one user", open: (tab, issuer) => tab.goto(`${issuer}/lab/users/alice`) },
  { name: "consents", open: (tab, issuer) => tab.goto(`${issuer}/lab/consents`) },
  {
    name: "clients that registered",
    open: (tab, issuer) => tab.goto(`${issuer}/lab/registered-clients`),
  },
  { name: "a call", open: (tab, issuer) => tab.goto(`${issuer}/lab/call/clock`) },
  { name: "sessions", open: (tab, issuer) => tab.goto(`${issuer}/lab/sessions`) },
  { name: "the rules", open: (tab, issuer) => tab.goto(`${issuer}/lab/rules`) },
  { name: "a provider", open: (tab, issuer) => tab.goto(`${issuer}/lab/providers/github`) },
  { name: "the interface over HTTP", open: (tab, issuer) => tab.goto(`${issuer}/lab/api`) },
  {
    name: "the clock",
    async open(tab, issuer) {
      await tab.goto(`${issuer}/lab/users`);
      await tab.evaluate("document.querySelector('#clock-menu').open = true");
    },
  },
  { name: "an unknown page", open: (tab, issuer) => tab.goto(`${issuer}/lab/nothing`) },
];
