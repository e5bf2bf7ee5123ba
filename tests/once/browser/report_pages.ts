import {
  type Application,
  createApplication,
  drilledClient,
  type SignInServer,
} from "../../support/drilled_application.ts";
import { listening, until } from "../../support/in_browser.ts";
import { encode } from "../../support/kit.ts";
import type { ShownPage } from "../../support/page_quality.ts";
import { send, sendJson } from "./send_json.ts";
import { shopRequest } from "./server_pages.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e`;

/** Makes every kind of finding, with names as strange as names can be. */
async function makeMistakes(issuer: string): Promise<void> {
  const tokenUrl = `${issuer}/oauth2/token`;
  const strange = hostile + "n".repeat(200);
  await send(shopRequest(issuer, { redirect_uri: `https://app.example/${"x".repeat(300)}` }));
  await send(shopRequest(issuer, { client_id: strange, state: strange }));
  await send(shopRequest(issuer, { code_challenge_method: "plain", state: "" }));
  await send(`${issuer}/oauth2/userinfo?access_token=${encodeURIComponent(strange)}`);
  await send(tokenUrl, {
    method: "POST",
    body: encode({ client_id: "shop", grant_type: strange }),
  });
  await sendJson("POST", `${issuer}/lab/faults`, { name: "jwks.server_error" });
  await sendJson("POST", `${issuer}/lab/faults`, { name: "callback.foreign_code" });
  await sendJson("POST", `${issuer}/lab/authorize`, {
    url: shopRequest(issuer, { state: "t" }),
    user: "alice",
  });
}

/** Enough for a group that failed, one that did not, and others that are not tested. */
const someVariants = ["callback.wrong_state", "callback.denied", "token.malformed_json"];

/** Drills a careless application that listens. */
async function drill(issuer: string): Promise<void> {
  await sendJson("DELETE", `${issuer}/lab/faults`);
  const parts: { application?: Application } = {};
  const handle = async (request: Request) =>
    await parts.application?.(request) ?? new Response(null, { status: 503 });
  await listening(handle, async (origin) => {
    const { id, ...client } = drilledClient(origin);
    await sendJson("PUT", `${issuer}/lab/clients/${id}`, client);
    const lab: SignInServer = { issuer, fetch: (input, init) => fetch(input, init as RequestInit) };
    parts.application = createApplication(lab, "careless", origin);
    await sendJson("POST", `${issuer}/lab/drill`, { start: `${origin}/`, only: someVariants });
  });
}

/** The report and the drill, in each of their states. */
export const reportPages: readonly ShownPage[] = [
  {
    name: "report, before the first client",
    async open(tab, issuer) {
      await sendJson("POST", `${issuer}/lab/reset`);
      await tab.goto(`${issuer}/lab/report`);
    },
  },
  {
    name: "report, with every kind of finding",
    async open(tab, issuer) {
      await makeMistakes(issuer);
      await tab.goto(`${issuer}/lab/report`);
    },
  },
  { name: "drill of an API", open: (tab, issuer) => tab.goto(`${issuer}/lab/drill/api`) },
  { name: "drill, before the first one", open: (tab, issuer) => tab.goto(`${issuer}/lab/drill`) },
  {
    name: "drill, stopped",
    async open(tab, issuer) {
      const start = `https://${"x".repeat(60)}.example/<${"y".repeat(200)}>`;
      await sendJson("POST", `${issuer}/lab/drill`, { start });
      await tab.goto(`${issuer}/lab/drill`);
    },
  },
  {
    name: "drill, finished",
    async open(tab, issuer) {
      await drill(issuer);
      await tab.goto(`${issuer}/lab/drill`);
      await until(tab, "document.querySelector('#drill-verdict .verdict-scope')");
    },
  },
];
