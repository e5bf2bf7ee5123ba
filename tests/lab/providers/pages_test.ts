import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/control/lab.ts";
import { withProvider } from "../../../src/lab/handling/provider_settings.ts";
import type { LabConfig } from "../../../src/lab/lab_server/lab_server.ts";
import { type ProviderName, providerNames } from "../../../src/lab/lab_server/provider_names.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { unescape } from "../../support/browser.ts";
import { openTab } from "../../support/lab_tab.ts";

const origin = "http://localhost:9000";

/** The endpoints of providers that publish no metadata, or leave some out. */
const withoutMetadata: Partial<Record<ProviderName, Record<string, string>>> = {
  auth0: { end_session_endpoint: "/oidc/logout" },
  gitlab: { device_authorization_endpoint: "/oauth/authorize_device" },
  cognito: {
    revocation_endpoint: "/oauth2/revoke",
    end_session_endpoint: "/logout",
  },
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

async function openPlaying(provider: ProviderName, config: Partial<LabConfig> = {}): Promise<Lab> {
  return openLab(await withProvider({ issuer: origin, provider, ...config }));
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

/** Returns the names and URLs below "Endpoints". */
function shownEndpoints(html: string): Array<[name: string, url: string]> {
  const [, list = ""] = html.split('id="all-endpoints"');
  const rows = [...list.matchAll(/<dt><code>([a-z_]+)<\/code><\/dt><dd>.*?<code[^>]*>([^<]+)</gs)];
  return rows.map(([, name = "", url = ""]) => [name, unescape(url)]);
}

describe("The home page of a lab that plays a provider", () => {
  for (const provider of providerNames) {
    it(`lists the endpoints that ${provider} has, where it has them`, async () => {
      await using lab = await openPlaying(provider);
      const metadata = await readMetadata(lab);
      const shown = shownEndpoints(await openHome(lab));
      assert(shown.length > 0);
      const others = withoutMetadata[provider] ?? {};
      for (const [name, url] of shown) {
        assertEquals(url, metadata[name] ?? `${origin}${others[name]}`, name);
        assert((await lab.fetch(new Request(url))).status !== 404, url);
      }
      for (const name of Object.keys(others)) {
        assert(shown.some(([each]) => each === name), name);
      }
    });
  }
});
