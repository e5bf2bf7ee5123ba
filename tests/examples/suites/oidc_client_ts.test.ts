// oidc-client-ts signs a user in within a page in Chromium.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { issuer, register, user } from "./running_server.ts";

const skip = chromium ? false : "this machine has no Chromium";
const library = "../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js";
const page = '<!doctype html><link rel="icon" href="data:,"><script src="/library.js"></script>';
/** What the page in a hidden frame does with the response. */
const silentPage = `${page}<script>
  const options = { authority: "any", client_id: "any", redirect_uri: "any" };
  new oidc.UserManager(options).signinSilentCallback();
</script>`;

/** Serves a site whose pages have the library. */
async function withSite(act: (origin: string) => Promise<void>): Promise<void> {
  const script = await readFile(join(import.meta.dirname, library));
  const server = createServer(({ url }, response) => {
    const isScript = url === "/library.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    if (isScript) response.end(script);
    else response.end(url?.startsWith("/silent") ? silentPage : page);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  try {
    await act(`http://localhost:${(server.address() as { port: number }).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A page of the site in Chromium. */
interface Site {
  tab: Tab;
  /** Calls a method of the page's `UserManager`, and waits for the value of an expression on it. */
  call(expression: string): Promise<unknown>;
  /** Signs the user in, and returns to the site. */
  signIn(): Promise<void>;
  /** Signs the user out, and returns to the site. */
  signOut(): Promise<void>;
}

/** What differs between clients: metadata, settings, and settings that are no JSON. */
interface Differences {
  metadata?: object;
  settings?: object;
  script?: string;
}

/** Opens the site in Chromium. */
async function inSite(
  act: (site: Site) => Promise<void>,
  { metadata = {}, settings = {}, script = "{}" }: Differences = {},
): Promise<void> {
  await withSite(async (origin) => {
    const { client_id } = await register({
      redirect_uris: [`${origin}/callback`, `${origin}/silent`],
      post_logout_redirect_uris: [`${origin}/bye`],
      token_endpoint_auth_method: "none",
      ...metadata,
    });
    const options = JSON.stringify({
      authority: issuer,
      client_id,
      redirect_uri: `${origin}/callback`,
      silent_redirect_uri: `${origin}/silent`,
      post_logout_redirect_uri: `${origin}/bye`,
      scope: "openid profile",
      ...settings,
    });
    const manager =
      `(globalThis.manager ??= new oidc.UserManager({ ...${options}, ...${script} }))`;
    await withChromium(async (tab) => {
      const call = (expression: string) => tab.evaluate(`${manager}.${expression}`);
      // The library leaves the page, so its promise is never settled.
      const leave = (method: string) => tab.evaluate(`void ${manager}.${method}()`);
      await tab.goto(origin);
      await act({
        tab,
        call,
        async signIn() {
          await leave("signinRedirect");
          await signInAtServer(tab);
          await loaded(tab, `${origin}/callback`);
        },
        async signOut() {
          await leave("signoutRedirect");
          await loaded(tab, `${origin}/bye`);
        },
      });
    });
  });
}

async function signInAtServer(tab: Tab): Promise<void> {
  await loaded(tab, `${issuer}/oauth2/`);
  await tab.type("#username", user.user);
  await tab.type("#password", user.password);
  await tab.click("#sign-in-button");
  await tab.click("#allow");
}

/** Waits until the browser has loaded a page whose URL begins with a prefix. */
async function loaded(tab: Tab, prefix: string): Promise<void> {
  const isLoaded = `document.readyState === "complete" && location.href.startsWith("${prefix}")`;
  const deadline = Date.now() + 60_000;
  // There is no page to ask between two pages.
  while (!await tab.evaluate<boolean>(isLoaded).catch(() => false)) {
    if (Date.now() > deadline) {
      throw new Error(`The browser did not reach ${prefix}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const withRefreshToken = { grant_types: ["authorization_code", "refresh_token"] };

describe("oidc-client-ts in Chromium", { skip }, () => {
  it("signs a user in, and reads the claims", async () => {
    await inSite(async ({ tab, call, signIn }) => {
      await signIn();
      const name = await call("signinCallback().then((user) => user.profile.name)");
      assert.equal(name, "Alice Adler");
      assert.deepEqual(tab.complaints, []);
    }, { settings: { loadUserInfo: true } });
  });

  it("renews tokens with a refresh token", async () => {
    await inSite(async ({ call, signIn }) => {
      await signIn();
      const first = await call(
        "signinCallback().then((user) => user.refresh_token)",
      );
      const second = await call(
        "signinSilent().then((user) => user.refresh_token)",
      );
      assert.equal(typeof second, "string");
      assert.notEqual(first, second);
    }, { metadata: withRefreshToken });
  });

  it("learns in a hidden frame that the user must consent", async () => {
    await inSite(async ({ call, signIn }) => {
      await signIn();
      await call("signinCallback().then(() => true)");
      // Any program of this machine could listen on loopback, so the user is asked each time.
      const error = await call("signinSilent().catch(({ error }) => error)");
      assert.equal(error, "consent_required");
    });
  });

  it("binds the code and the tokens to a key (RFC 9449)", async () => {
    await inSite(async ({ call, signIn }) => {
      await signIn();
      const type = await call("signinCallback().then((user) => user.token_type)");
      assert.equal(type, "DPoP");
    }, {
      script: "{ dpop: { bind_authorization_code: true, store: new oidc.IndexedDbDPoPStore() } }",
    });
  });

  it("revokes tokens, and signs the user out", async () => {
    await inSite(async ({ call, signIn, signOut }) => {
      await signIn();
      await call("signinCallback().then(() => true)");
      await call("revokeTokens().then(() => true)");
      await signOut();
      assert.equal(await call("getUser()"), null);
    }, { metadata: withRefreshToken });
  });
});
