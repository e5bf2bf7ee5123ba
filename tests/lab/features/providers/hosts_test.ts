import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { applyPreset } from "../../../../src/lab/features/providers/apply_preset.ts";
import { providerNames } from "../../../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../../../src/lab/features/providers/presets.ts";
import type { PresetSettings } from "../../../../src/lab/features/providers/presets/preset.ts";
import { hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { callback, openProvider, webClient } from "../../../support/provider_login.ts";

const google = "https://accounts.google.com";
const userUrl = "https://api.github.com/user";
const options = { clients: [webClient], signIn: "alice" };

/** Providers whose customers have hosts of their own. */
const withoutHosts = ["auth0", "cognito", "keycloak", "okta"];

/** Returns the status of a response of the global `fetch`. */
async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

describe("lab.intercept({ hosts: true })", () => {
  it("leads requests for each host of the provider to the lab, until it ends", async () => {
    await using lab = await openProvider("google");
    const { fetch: before } = globalThis;
    const interception = lab.intercept({ hosts: true });
    const response = await fetch(`${google}/.well-known/openid-configuration`);
    assertEquals((await response.json()).issuer, lab.issuer);
    assertEquals(await statusOf("https://oauth2.googleapis.com/token", { method: "POST" }), 400);
    assertEquals(await statusOf("https://openidconnect.googleapis.com/v1/userinfo"), 401);
    assertEquals(await statusOf("https://www.googleapis.com/oauth2/v3/certs"), 200);
    interception.restore();
    assertEquals(globalThis.fetch, before);
  });

  it("records the URL that the client used", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    await statusOf(`${userUrl}?page=2`);
    assertEquals(lab.requests().map(({ url, path }) => [url, path]), [[
      `${userUrl}?page=2`,
      "/user",
    ]]);
  });

  it("is the default where the issuer has the real host, which tokens then name", async () => {
    await using lab = await openProvider("google", { hosts: true });
    using _ = lab.intercept();
    const { id_token = "" } = await lab.mint({ sub: "alice", client: "web", scope: "openid" });
    assertEquals(JSON.parse(atob(id_token.split(".")[1] ?? "")).iss, google);
    assertEquals(await statusOf("https://www.googleapis.com/oauth2/v3/certs"), 200);
  });

  it("leads each host to its provider if there are several", async () => {
    await using lab = await hallpass({ ...options, providers: ["google", "github"] });
    using _ = lab.intercept({ hosts: true });
    assertEquals(await statusOf("https://www.googleapis.com/oauth2/v3/certs"), 200);
    assertMatch(await (await fetch(userUrl)).text(), /Bad credentials/);
    assertEquals(lab.provider("github").requests().length, 1);
  });

  it("never opens the interface of the lab at such a host", async () => {
    for (const hosts of [true, false]) {
      await using alone = await openProvider("google", { hosts });
      await using lab = await hallpass({ ...options, providers: ["google"], hosts });
      const paths = ["/lab", "/lab/clock", "/lab/requests", "/t/google/lab/clock"];
      for (const host of [google, "https://oauth2.googleapis.com"]) {
        for (const path of paths) {
          const responses = [await alone.fetch(host + path), await lab.fetch(host + path)];
          assertEquals(responses.map(({ status }) => status), [404, 404], host + path);
        }
      }
      const { issuer } = lab;
      assertEquals((await lab.fetch(`${issuer}/t/google/lab/clock`)).status, 200);
    }
  });

  const entraHosts = [
    ...["login.microsoftonline.com", "login.microsoft.com", "login.windows.net", "sts.windows.net"],
  ];
  for (const host of entraHosts) {
    it(`X2: signs in and out by lab.authorize() and a browser at ${host}`, async () => {
      const several = await hallpass({ clients: [webClient], providers: ["entra"] });
      await using _ = several;
      await using real = await openProvider("entra", { hosts: true, signIn: undefined });
      await using played = await openProvider("entra", { signIn: undefined });
      const at = `https://${host}/common/oauth2/v2.0`;
      const query =
        `response_type=code&client_id=web&redirect_uri=${callback}&scope=openid&state=s`;
      for (const lab of [real, played, several.provider("entra")]) {
        const browser = lab.browser();
        const { code } = await browser.authorize(`${at}/authorize?${query}`, { user: "alice" });
        assert(code);
        const after = "https://app.example/";
        const signOut = `${at}/logout?client_id=web&post_logout_redirect_uri=${after}`;
        assertEquals(await browser.signOut(signOut), after);
        assertEquals(lab.requests()[0]?.url, `${at}/authorize?${query}`);
        assert((await lab.authorize(`${at}/authorize?${query}`, { user: "alice" })).code);
      }
    });
  }

  it("X2: explains a refusal at such a host, and which hosts are of no lab", async () => {
    await using lab = await openProvider("entra", { signIn: undefined });
    const path = "/common/oauth2/v2.0/authorize?response_type=code&client_id=nobody";
    const refused = () => lab.authorize(`https://login.windows.net${path}`, { user: "alice" });
    await assertRejects(refused, LabError, "Received: 'nobody'");
    const foreign = () => lab.authorize(`https://login.example${path}`, { user: "alice" });
    await assertRejects(foreign, LabError, "is not an address of this lab");
  });

  it("is for one lab at a time", async () => {
    await using one = await openProvider("github");
    await using two = await openProvider("github");
    {
      using _ = one.intercept({ hosts: true });
      const attempt = () => two.intercept({ hosts: true });
      assertThrows(attempt, LabError, "Another lab intercepts https://github.com already");
    }
    using _ = two.intercept({ hosts: true });
    assertEquals([await statusOf(userUrl), two.requests().length], [401, 1]);
  });

  it("refuses a lab without hosts, and two tenants with the same", async () => {
    for (const provider of ["okta", undefined] as const) {
      await using lab = await hallpass({ provider });
      const attempt = () => lab.intercept({ hosts: true });
      assertThrows(attempt, LabError, "hosts are the same for everyone");
    }
    await using lab = await hallpass();
    const one = await lab.tenant({ id: "one", provider: "github" });
    await lab.tenant({ id: "two", provider: "github" });
    assertThrows(
      () => lab.intercept({ hosts: true }),
      LabError,
      "Several tenants have the host https://github.com",
    );
    using _ = one.intercept({ hosts: true });
    assertEquals(await statusOf(userUrl), 401);
  });
});

describe("The setting 'hosts'", () => {
  it("gives each provider its real issuer, and the lab keeps its own", async () => {
    await using lab = await hallpass({ ...options, providers: ["google", "entra"], hosts: true });
    assertEquals(lab.issuer, "https://hallpass.test");
    assertEquals(lab.provider("google").issuer, google);
    assertMatch(lab.provider("entra").issuer, /^https:\/\/login\.microsoftonline\.com\/.*\/v2\.0$/);
    const { addresses } = await (await lab.fetch(`${lab.issuer}/lab/tenants`)).json();
    assertEquals(addresses, undefined);
  });

  it("is for a tenant as well", async () => {
    await using lab = await hallpass();
    const { issuer } = await lab.tenant({ id: "hub", provider: "github", hosts: true });
    assertEquals([issuer, (await lab.fetch(userUrl)).status], ["https://github.com", 401]);
  });

  it("keeps an issuer that a test chose, such as another tenant of Entra", async () => {
    const issuer = "https://login.microsoftonline.com/11112222-3333-4444-5555-666677778888/v2.0";
    await using lab = await openProvider("entra", { hosts: true, issuer });
    assertEquals(lab.issuer, issuer);
  });

  it("asks for the issuer of a provider whose customers have hosts of their own", async () => {
    const attempt = () => openProvider("auth0", { hosts: true });
    await assertRejects(attempt, LabError, "'hosts' cannot choose a host for auth0");
    const issuer = "https://shop.eu.auth0.com/";
    await using lab = await openProvider("auth0", { hosts: true, issuer });
    assertEquals(lab.issuer, issuer);
  });

  it("takes issuers by the names of providers, and keeps them after a reset", async () => {
    const hosts = { okta: "https://dev-1.okta.com" };
    await using lab = await hallpass({ ...options, providers: ["okta", "google"], hosts });
    for (let round = 0; round < 2; round++) {
      assertEquals(lab.provider("okta").issuer, `${hosts.okta}/oauth2/default`);
      assertEquals(lab.provider("google").issuer, google);
      assertEquals((await lab.fetch(`${hosts.okta}/oauth2/default/v1/keys`)).status, 200);
      await lab.reset();
    }
    const unknown = { auth0: "https://shop.eu.auth0.com/" };
    const error = await assertRejects(() => hallpass({ providers: ["okta"], hosts: unknown }));
    assertMatch((error as Error).message, /hosts contains 'auth0', which is not a provider of/);
  });

  it("needs a provider, and a server that does not run yet", async () => {
    const error = await assertRejects(() => hallpass({ hosts: true }), ConfigError);
    assertMatch((error as Error).message, /hosts needs 'provider' or 'providers'/);
    await using lab = await openProvider("github");
    assertThrows(() => lab.configure({ hosts: true }), LabError, "set at the start");
  });
});

describe("The hosts of providers", () => {
  it("belong to one provider each, and are names that no lab has", async () => {
    const all: string[] = [];
    for (const name of providerNames) {
      const { dialect } = applyPreset<PresetSettings>(await loadPreset(name), {});
      const hosts = dialect?.hosts ?? [];
      assertEquals(hosts.length === 0, withoutHosts.includes(name), `${name} has no fact 'hosts'`);
      for (const host of hosts) assertMatch(host.name, /^[a-z0-9-]+(\.[a-z0-9-]+)+\.?[a-z]{2,}$/);
      all.push(...hosts.map((host) => host.name));
    }
    assertEquals(new Set(all).size, all.length);
    assert(!all.some((name) => name.endsWith("localhost")));
  });

  it("never lead away from the addresses of this machine", async () => {
    const hosts = ["localhost", "127.0.0.1", "lab.localhost"].map((name) => ({ name }));
    await using lab = await hallpass({ dialect: { hosts } });
    assertEquals((await lab.fetch(`${lab.issuer}/lab/clock`)).status, 200);
    assertThrows(() => lab.intercept({ hosts: true }), LabError);
  });
});
