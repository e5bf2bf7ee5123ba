import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { chromium, type Tab } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { type Handler, inBrowser, listening } from "../../support/in_browser.ts";

const skip = chromium ? false : "this machine has no Chromium";

/** The second tab, as the first one finds it. */
const second = `window.open("", "second")`;

/** The application. Each of its tabs has its own session unless they share the storage. */
const application = `
  import { UserManager, WebStorageStateStore } from "oidc-client-ts";
  const [authority, shared] = document.title.split(" ");
  globalThis.manager = new UserManager({
    authority,
    client_id: "demo-spa",
    redirect_uri: location.origin + "/callback",
    scope: "openid offline_access",
    automaticSilentRenew: false,
    ...shared && { userStore: new WebStorageStateStore({ store: localStorage }) },
  });
`;

/** Signs a user in to the application in two tabs, both at the same time. */
async function inTwoTabs(
  { shared }: { shared: boolean },
  act: (tab: Tab, lab: Lab) => Promise<void>,
): Promise<void> {
  let issuer = "";
  await listening(createSite(() => `${issuer}${shared ? " shared" : ""}`), async (origin) => {
    const settings = { signIn: "alice", redirectUris: [`${origin}/callback`] };
    await inBrowser(settings, async (tab, labIssuer, lab) => {
      issuer = labIssuer;
      await tab.goto(`${origin}/`);
      await run(tab, `window.open("/", "second")`);
      await eventually(() => run(tab, `${second}.manager.signinRedirect() && true`));
      await run(tab, "manager.signinRedirect() && true");
      await tab.arrive(`${origin}/callback?`);
      for (const window of ["globalThis", second]) {
        await eventually(() => run(tab, `${window}.manager.signinCallback().then(() => true)`));
      }
      await act(tab, lab);
    });
  });
}

/** Runs an expression as if the user had pressed a button. */
async function run(tab: Tab, expression: string): Promise<unknown> {
  const options = { userGesture: true, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await tab.send("Runtime.evaluate", {
    ...options,
    expression:
      `Promise.resolve(${expression}).then((value) => value === null ? null : String(value))`,
  });
  if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
  return (result as { value?: unknown }).value;
}

/** Serves the application; the title of its page has its settings. */
function createSite(title: () => string): Handler {
  const { outputFiles } = bundle({
    stdin: { contents: application, resolveDir: "tests/once" },
    platform: "browser",
    format: "iife",
    write: false,
  });
  const script = outputFiles?.[0]?.text ?? "";
  return (request) => {
    const isScript = request.url.endsWith("/app.js");
    const page = `<!doctype html><link rel=icon href=data:,><title>${title()}</title>` +
      "<script src=/app.js></script>";
    const headers = { "Content-Type": isScript ? "text/javascript" : "text/html" };
    return Promise.resolve(new Response(isScript ? script : page, { headers }));
  };
}

/** Returns what becomes of refreshes that both tabs begin at the same time. */
async function refreshBoth(tab: Tab): Promise<unknown> {
  const refreshes = `[manager, ${second}.manager].map((each) => each.signinSilent())`;
  return await run(
    tab,
    `Promise.allSettled(${refreshes}).then((all) => all.map(({ status }) => status).sort().join())`,
  );
}

describe("oidc-client-ts in two tabs", () => {
  it("breaks no rule with a session for each tab, as it has by default", { skip }, async () => {
    await inTwoTabs({ shared: false }, async (tab, lab) => {
      for (let round = 0; round < 3; round++) {
        assertEquals(await refreshBoth(tab), "fulfilled,fulfilled");
      }
      lab.assertClean({ refused: true });
    });
  });

  it("presents a refresh token twice if its tabs share a session", { skip }, async () => {
    await inTwoTabs({ shared: true }, async (tab, lab) => {
      assertEquals(await refreshBoth(tab), "fulfilled,rejected");
      assertThrows(() => lab.assertClean({ refused: true }));
    });
  });
});
