import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  findEndpointUrl,
  listEndpoints,
  listProviderApis,
  requireEndpointUrl,
} from "../../../../src/lab/dialect/lab_endpoints.ts";
import { type ProviderName, providerNames } from "../../../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../../../src/lab/features/providers/presets.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { fixturesOf } from "../../../features.ts";
import { unescape } from "../../../support/browser.ts";
import { completed } from "../../../support/completed.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { needs } from "../../../support/where_feature.ts";

const origin = "http://localhost:9000";

/** The endpoints of providers that publish no metadata, or leave some out. */
const withoutMetadata: Partial<Record<ProviderName, Record<string, string>>> = {
  auth0: { end_session_endpoint: "/oidc/logout" },
  gitlab: { device_authorization_endpoint: "/oauth/authorize_device" },
  okta: { backchannel_authentication_endpoint: "/oauth2/default/v1/bc/authorize" },
  cognito: { revocation_endpoint: "/oauth2/revoke", end_session_endpoint: "/logout" },
  discord: {
    authorization_endpoint: "/oauth2/authorize",
    token_endpoint: "/api/oauth2/token",
    revocation_endpoint: "/api/oauth2/token/revoke",
  },
  github: {
    authorization_endpoint: "/login/oauth/authorize",
    token_endpoint: "/login/oauth/access_token",
    device_authorization_endpoint: "/login/device/code",
  },
};

/** Whether the server has an endpoint, which may be that of a deleted feature. */
function isServed(name: string): boolean {
  const ofCore = ["authorization_endpoint", "token_endpoint"];
  return [...ofCore, ...Object.keys(fixturesOf("endpointFields"))].includes(name);
}

async function openPlaying(
  provider: LabConfig["provider"],
  config: Partial<LabConfig> = {},
): Promise<Lab> {
  return openLab(await completed({ issuer: origin, provider, ...config }));
}

/** Returns the metadata at the issuer, or an empty object. */
async function readMetadata(lab: Lab): Promise<Record<string, unknown>> {
  const url = `${lab.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await lab.fetch(new Request(url));
  return response.status === 200 ? await response.json() : {};
}

async function openHome(lab: Lab): Promise<string> {
  return await (await openTab(lab)).html(new URL(lab.issuer).pathname.replace(/\/?$/, "/"));
}

async function openSetup(lab: Lab): Promise<string> {
  return await (await openTab(lab)).html(`${lab.context.settings.base}/lab/setup`);
}

/** Returns the names and URLs below "Endpoints", without those of APIs. */
function shownEndpoints(html: string): Array<[name: string, url: string]> {
  const [, list = ""] = html.split('id="endpoints"');
  const rows = [...list.matchAll(/<dt><code>([a-z_]+)<\/code><\/dt><dd>.*?<code[^>]*>([^<]+)</gs)];
  return rows.map(([, name = "", url = ""]) => [name, unescape(url)]);
}

describe("The pages of a lab that plays a provider", () => {
  for (const provider of providerNames) {
    it(`lists the endpoints that ${provider} has, where it has them`, async () => {
      await using lab = await openPlaying(provider);
      const metadata = await readMetadata(lab);
      const shown = shownEndpoints(await openSetup(lab));
      assert(shown.length > 0);
      const others = withoutMetadata[provider] ?? {};
      for (const [name, url] of shown) {
        assertEquals(url, metadata[name] ?? `${origin}${others[name]}`, name);
        assert((await lab.fetch(new Request(url))).status !== 404, url);
      }
      for (const name of Object.keys(others).filter(isServed)) {
        assert(shown.some(([each]) => each === name), name);
      }
    });
  }

  it("lists the APIs of a provider, and the endpoints of one without metadata at once", async () => {
    await using lab = await openPlaying("github");
    const html = await openSetup(lab);
    const [, apis = ""] = html.split('id="all-apis"');
    for (const path of ["/user", "/user/emails"]) assertStringIncludes(apis, `>${origin}${path}<`);
    assertMatch(html, /<details id="all-apis" open>/);
    assertMatch(
      await openHome(lab),
      /has no metadata: an application needs the <a href="[^"]*#endpoints">/,
    );
    assertNotMatch(html, />Metadata<\/a>/);
    await using other = await openPlaying("entra");
    assertMatch(await openSetup(other), /<details id="all-apis"><[\s\S]*>Metadata<\/a>/);
  });

  it("offers no protection that the metadata lacks", async () => {
    const disabled = async (provider: ProviderName) => {
      await using lab = await openPlaying(provider);
      const boxes = (await openHome(lab)).matchAll(
        /<input type="checkbox" id="(\w+)"[^>]*disabled/g,
      );
      return [...boxes].map(([, id]) => id);
    };
    assertEquals(await disabled("entra"), ["par", "jar", "jarm", "dpop"]);
    // The first client has no key, and no metadata of Okta announces JARM.
    assertEquals(await disabled("okta"), ["jar", "jarm"]);
  });

  it("starts no flow where no user signs in", async () => {
    const dialect = { missingEndpoints: ["authorize" as const] };
    await using lab = openLab({ issuer: origin, dialect });
    assertNotMatch(await openHome(lab), /id="builder"|\/start\?/);
  });

  it("names the MCP server of a lab, which a provider does not have", needs("mcp"), async () => {
    await using plain = openLab({ issuer: origin });
    const shown = await openHome(plain);
    assertMatch(shown, /MCP client[^<]*<span[^>]*><code[^>]*>http:\/\/localhost:9000\/mcp</);
    await using lab = await openPlaying("google");
    // As a word: a random text may contain the letters.
    assertNotMatch(await openHome(lab), /\bMCP\b/);
  });

  it("has those of each of several providers, below the path of each", async () => {
    await using lab = openLab({ issuer: origin, providers: ["google", "entra"] });
    await lab.openConfiguredTenants();
    const tab = await openTab(lab);
    const html = await tab.html("/");
    assertStringIncludes(await openSetup(lab), `>${origin}/oauth2/token<`);
    for (const [, href = ""] of html.matchAll(/<a href="(http[^"]*\/t\/[^"]*)"/g)) {
      const page = await tab.html(new URL(href).pathname);
      const tenant = lab.tenants.find(/\/t\/(\w+)/.exec(href)?.[1] ?? "");
      const shown = new Map(shownEndpoints(await openSetup(tenant)));
      const metadata = await readMetadata(tenant);
      assertEquals(shown.get("token_endpoint"), metadata.token_endpoint);
      assertStringIncludes(page, `GET ${metadata.authorization_endpoint}<`);
    }
  });
});

describe("The endpoints of a lab that plays a provider", () => {
  it("are at the address for browsers, if that is another one", async () => {
    await using lab = await openPlaying("entra", { frontChannelUrl: "http://127.0.0.1:9000" });
    const urls = listEndpoints(lab).map(({ url }) => url);
    assert(urls.every((url) => url.startsWith("http://127.0.0.1:9000/")), urls.join());
    assertMatch(urls.join(), /\/[-\da-f]{36}\/oauth2\/v2.0\/token/);
  });

  it("are at the hosts of the provider, if the lab has these", async () => {
    const config = await completed({ provider: "google" as const, hosts: true });
    await using lab = openLab({ issuer: "", ...config });
    assertEquals(findEndpointUrl(lab, "token_endpoint"), "https://oauth2.googleapis.com/token");
    await using github = openLab({
      issuer: "",
      ...await completed({ provider: "github" as const, hosts: true }),
    });
    assertEquals(listProviderApis(github)[0]?.url, "https://api.github.com/user");
  });

  it("throw for one that the provider does not have", async () => {
    await using lab = await openPlaying("github");
    const attempt = () => requireEndpointUrl(lab, "pushed_authorization_request_endpoint");
    assertThrows(attempt, LabError, "no 'pushed_authorization_request_endpoint'");
  });
});

describe("The page of a provider", () => {
  for (const provider of providerNames) {
    it(`has each fact about ${provider} with its sources, and what is not played`, async () => {
      await using lab = openLab({ issuer: origin });
      const html = unescape(await (await openTab(lab)).html(`/lab/providers/${provider}`));
      const { title, facts, sources, stricter, missing } = await loadPreset(provider);
      const says = Object.values(facts).map((fact) => fact.says);
      const urls = Object.values(sources).map(([url]) => `<a href="${url}"`);
      const ids = Object.keys(facts).map((id) => `<code>${provider}.${id}</code>`);
      for (const text of [title, ...says, ...urls, ...ids, ...stricter, ...missing]) {
        assertStringIncludes(html, text);
      }
    });
  }

  it("is there for a preset in a file, whose sources run nothing", async () => {
    await using lab = await openPlaying({
      ...{ preset: 1, name: "acme", title: "Acme", stricter: [], missing: [] },
      sources: { docs: ["javascript:alert(1)", "no date"] },
      facts: { form: { from: ["docs"], says: "Nothing is special.", plays: {} } },
    });
    const tab = await openTab(lab);
    assertStringIncludes(await tab.html("/"), 'href="/lab/providers/acme"');
    const html = await tab.html("/lab/providers/acme");
    assertStringIncludes(html, "Nothing is special.");
    assertNotMatch(html, /href="javascript/);
  });

  it("is not there for another name", async () => {
    await using lab = openLab({ issuer: origin });
    const response = await (await openTab(lab)).get("/lab/providers/githup");
    assertEquals(response.status, 400);
    assertStringIncludes(unescape(await response.text()), "github");
  });
});
