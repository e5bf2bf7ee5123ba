import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import type { PolicyClient, User } from "../../src/server/mod.ts";
import { type Browser, type Page, textOf } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { type Fields, type Kit, openKit } from "../support/kit.ts";

const it = itWith({ inConsent: openConsent });

const callback = "https://hallpass.test/authorized";
const app = { id: "app", redirectUris: [callback] };
const sharing = { ...app, partialConsent: true };
const api = "https://api.example/";

interface Consent {
  kit: Kit;
  browser: Browser;
  page: Page;
}

/** Signs alice in for a request of a client, and opens the consent page. */
async function openConsent(
  client: NonNullable<LabConfig["clients"]>[number] = sharing,
  changes: Fields = {},
  config: Partial<LabConfig> = {},
): Promise<Consent> {
  const kit = openKit({ clients: [client], ...config });
  const browser = kit.browser();
  const url = requestUrl(kit, changes);
  const signIn = await browser.open(url);
  const page = await browser.signIn(signIn);
  return { kit, browser, page };
}

function requestUrl(kit: Kit, changes: Fields = {}): string {
  return kit.authorizationUrl({ client_id: "app", scope: "openid email read write", ...changes });
}

/** Presses "Allow" with these boxes ticked, and returns the URL of the callback. */
async function allow({ browser, page }: Omit<Consent, "kit">, ticked: string[]): Promise<string> {
  return (await browser.submit(page, "consent", { decision: "allow" }, ticked.map(box))).url;
}

function box(token: string): [string, string] {
  return ["scope", token];
}

/** Returns the names of the scopes that have a box. */
function boxesIn({ html }: Page): string[] {
  const boxes = html.matchAll(/<input type="checkbox" name="scope" value="([^"]*)"/g);
  return [...boxes].map(([, name = ""]) => name);
}

async function grantedScope(kit: Kit, url: string): Promise<unknown> {
  const code = new URL(url).searchParams.get("code") ?? "";
  return (await kit.redeem(code, { client_id: "app" })).body.scope;
}

describe("Consent to a part of a scope", () => {
  it("is off unless the client or a resource has it on", async () => {
    const resources = [{ uri: api, scopes: ["read", "write"], partialConsent: true }];
    const cases = [
      await openConsent(app),
      await openConsent(sharing),
      await openConsent(app, { resource: api }, { resources }),
      await openConsent(app, { resource: api }, { resources: [api] }),
    ];
    const all = ["read", "write", "email"];
    assertEquals(cases.map(({ page }) => boxesIn(page)), [[], all, all, []]);
  });

  it.inConsent("grants the scopes whose boxes are ticked, and openid", async (consent) => {
    const url = await allow(consent, ["read"]);
    assertEquals(await grantedScope(consent.kit, url), "openid read");
  });

  it.inConsent("grants all if every box stays ticked", async (consent) => {
    const url = await allow(consent, boxesIn(consent.page));
    assertEquals(await grantedScope(consent.kit, url), "openid email read write");
  });

  it("is a denial if nothing is ticked", async () => {
    const consent = await openConsent(sharing, { scope: "read write" });
    const url = new URL(await allow(consent, []));
    assertEquals(url.searchParams.get("error"), "access_denied");
  });

  it("withholds the claims of a refused scope, even those requested by name", async () => {
    const claims = '{"userinfo":{"email":null,"name":null}}';
    const { kit, ...consent } = await openConsent(sharing, { claims });
    const code = new URL(await allow(consent, ["read"])).searchParams.get("code") ?? "";
    const { body } = await kit.redeem(code, { client_id: "app" });
    const headers = { Authorization: `Bearer ${body.access_token}` };
    const userinfo = await kit.request("/oauth2/userinfo", { headers });
    assertEquals(Object.keys(await userinfo.json()).toSorted(), ["name", "sub"]);
  });

  it.inConsent("reports what was refused", async ({ kit, ...consent }) => {
    await allow(consent, ["read", "email"]);
    const given = kit.events.flatMap((event) =>
      event.type === "consent.given" ? [[event.scope, event.refused]] : []
    );
    assertEquals(given, [[["openid", "email", "read"], ["write"]]]);
  });

  it("shows the page again if the client may no longer do that", async () => {
    const { kit, browser, page } = await openConsent(app);
    const forged = { decision: "allow", choices: "read write" };
    const again = await browser.submit(page, "consent", forged, [box("read")]);
    assertEquals(again.status, 200);
    assertEquals(kit.events.some(({ type }) => type === "code.issued"), false);
  });
});

describe("A request for more than was allowed", () => {
  it.inConsent("asks only for what is missing", async ({ kit, browser, page }) => {
    await allow({ browser, page }, ["read"]);
    const next = await browser.open(requestUrl(kit));
    assertEquals(boxesIn(next), ["write", "email"]);
    assertMatch(textOf(next.html), /Already allowed .*openid .*read .*Permissions: of 2/);
  });

  it("withholds what is refused, however long the list of what was allowed is", async () => {
    const names = Array.from({ length: 240 }, (_, index) => `scope-${index}`);
    const scopes = Object.fromEntries(names.map((name) => [name, name]));
    const before = { scope: names.slice(0, 120).join(" ") };
    const { kit, browser, page } = await openConsent(sharing, before, { scopes });
    await allow({ browser, page }, boxesIn(page));
    const next = await browser.open(requestUrl(kit, { scope: names.join(" ") }));
    assertEquals(boxesIn(next).length, 120);
    const url = await allow({ browser, page: next }, ["scope-200"]);
    assertEquals(await grantedScope(kit, url), [...names.slice(0, 120), "scope-200"].join(" "));
  });

  it.inConsent("brings a refused scope back beside those of before", async ({ kit, browser, page }) => {
    await allow({ browser, page }, ["read"]);
    const next = await browser.open(requestUrl(kit));
    const url = await allow({ browser, page: next }, ["write"]);
    assertEquals(await grantedScope(kit, url), "openid read write");
  });

  it("asks for all of it with prompt=consent, and then forgets what is refused", async () => {
    const { kit, browser, page } = await openConsent(sharing, { scope: "read write" });
    await allow({ browser, page }, ["read", "write"]);
    const asked = await browser.open(requestUrl(kit, { scope: "read write", prompt: "consent" }));
    assertEquals(boxesIn(asked), ["read", "write"]);
    await allow({ browser, page: asked }, ["read"]);
    const next = await browser.open(requestUrl(kit, { scope: "read write" }));
    assertEquals(boxesIn(next), ["write"]);
  });

  it.inConsent("is refused with prompt=none", async ({ kit, browser, page }) => {
    await allow({ browser, page }, ["read"]);
    const { url } = await browser.open(requestUrl(kit, { prompt: "none" }));
    assertEquals(new URL(url).searchParams.get("error"), "consent_required");
  });
});

describe("The count beside the button", () => {
  it("says how many permissions it grants, without a script", async () => {
    const { page } = await openConsent(app);
    assertMatch(page.html, / id="permission-count">Permissions: 4<\//);
    assertNotMatch(page.html, /checkbox/);
  });

  it.inConsent("is for the ticked boxes if scopes can be refused", ({ page }) => {
    assertMatch(page.html, /Permissions: <span class="chosen"><\/span> of 4/);
    assertEquals(page.html.match(/<input type="checkbox" checked disabled/g)?.length, 1);
  });
});

describe("A scope policy that changes while a consent page is open", () => {
  it("grants nothing that the page did not show, and shows the page again", async () => {
    let permitted = ["openid"];
    const policies = {
      scope: (_user: User, _client: PolicyClient, scope: readonly string[]) =>
        scope.filter((token) => permitted.includes(token)),
    };
    const { kit, browser, page } = await openConsent(app, {}, { policies });
    permitted = ["openid", "write"];
    const again = await browser.decide(page);
    assertEquals(again.status, 200);
    assertEquals(kit.events.some(({ type }) => type === "code.issued"), false);
    const url = await allow({ browser, page: again }, []);
    assertEquals(await grantedScope(kit, url), "openid write");
  });
});
