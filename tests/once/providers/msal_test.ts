import { ConfidentialClientApplication, type INetworkModule } from "@azure/msal-node";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, exportJWK, importX509 } from "jose";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { rsaCert, rsaKey } from "../../support/certificate.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const host = "https://login.microsoftonline.com";

/** Sends the requests of MSAL to a lab that has the host of Microsoft as its own. */
function networkOf({ fetch }: TestLab): INetworkModule {
  const send = async (url: string, method: string, options: Record<string, unknown> = {}) => {
    const response = await fetch(url, { method, ...options } as RequestInit);
    const headers = Object.fromEntries(response.headers);
    return { headers, status: response.status, body: await response.json() };
  };
  return {
    sendGetRequestAsync: (url, options) => send(url, "GET", { ...options }),
    sendPostRequestAsync: (url, options) => send(url, "POST", { ...options }),
  } as INetworkModule;
}

function open(options: HallpassOptions = {}): Promise<TestLab> {
  const issuer = `${host}/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0`;
  return openProvider("entra", { issuer, ...options });
}

function applicationFor(lab: TestLab, authority = `${host}/common`): ConfidentialClientApplication {
  return new ConfidentialClientApplication({
    auth: { clientId: webClient.id, clientSecret: webClient.secret ?? "", authority },
    system: { networkClient: networkOf(lab) },
  });
}

describe("@azure/msal-node, at the host that it knows", () => {
  for (const segment of ["common", "organizations", "aaaabbbb-0000-cccc-1111-dddd2222eeee"]) {
    it(`signs in and refreshes silently at ${segment}`, async () => {
      await using lab = await open();
      const application = applicationFor(lab, `${host}/${segment}`);
      const request = { scopes: ["User.Read"], redirectUri: callback };
      const url = await application.getAuthCodeUrl(request);
      const code = await codeAt(lab, url);
      const result = await application.acquireTokenByCode({ ...request, code });
      assertEquals(result.tenantId, "aaaabbbb-0000-cccc-1111-dddd2222eeee");
      assertEquals(result.account?.username, "alice");
      const me = await lab.fetch(`${host}/v1.0/me`, {
        headers: { Authorization: `Bearer ${result.accessToken}` },
      });
      assertEquals((await me.json()).displayName, "Alice Adler");
      const { account } = result;
      const silent = await application.acquireTokenSilent({
        ...{ account: account!, scopes: ["User.Read"], forceRefresh: true },
      });
      assertEquals(silent.uniqueId, result.uniqueId);
    });
  }

  it("gets a token of its own for Graph, and one of a user, by the scope .default", async () => {
    const client = { ...webClient, grantTypes: ["authorization_code", "client_credentials"] };
    await using lab = await open({ clients: [client] });
    const application = applicationFor(lab, `${host}/aaaabbbb-0000-cccc-1111-dddd2222eeee`);
    const scopes = ["https://graph.microsoft.com/.default"];
    const own = await application.acquireTokenByClientCredential({ scopes });
    const request = { scopes, redirectUri: callback, state: "a-state" };
    const url = await application.getAuthCodeUrl(request);
    const code = await codeAt(lab, url);
    const ofUser = await application.acquireTokenByCode({ ...request, code });
    for (const token of [own?.accessToken ?? "", ofUser.accessToken]) {
      assertEquals(decodeJwt(token).aud, "https://graph.microsoft.com");
    }
    lab.assertClean();
  });

  it("finds the endpoints of an unknown authority by instance discovery and metadata", async () => {
    await using lab = await openProvider("entra");
    const application = new ConfidentialClientApplication({
      auth: {
        clientId: webClient.id,
        clientSecret: webClient.secret ?? "",
        authority: "https://hallpass.test/common",
        knownAuthorities: ["hallpass.test"],
      },
      system: { networkClient: networkOf(lab) },
    });
    const url = await application.getAuthCodeUrl({ scopes: ["openid"], redirectUri: callback });
    assertMatch(url, /^https:\/\/hallpass\.test\/common\/oauth2\/v2\.0\/authorize\?/);
  });

  it("signs in with a certificate in place of a secret", async () => {
    const jwks = { keys: [await exportJWK(await importX509(rsaCert, "PS256"))] };
    const clients = [{ id: "web", redirectUris: [callback], jwks }];
    const issuer = `${host}/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0`;
    await using lab = await openProvider("entra", { clients, issuer });
    const thumbprintSha256 = new X509Certificate(rsaCert).fingerprint256.replaceAll(":", "");
    const application = new ConfidentialClientApplication({
      auth: {
        ...{ clientId: "web", authority: `${host}/common` },
        clientCertificate: { thumbprintSha256, privateKey: rsaKey },
      },
      system: { networkClient: networkOf(lab) },
    });
    const request = { scopes: ["User.Read"], redirectUri: callback };
    const url = await application.getAuthCodeUrl(request);
    const code = await codeAt(lab, url);
    const { account } = await application.acquireTokenByCode({ ...request, code });
    assertEquals(account?.username, "alice");
  });

  it("reads the number of an error", async () => {
    await using lab = await open();
    const request = { scopes: ["openid"], redirectUri: callback, code: "unknown" };
    const error = await assertRejects(() => applicationFor(lab).acquireTokenByCode(request));
    assertMatch(String(error), /invalid_grant.*AADSTS70008|70008/);
  });
});
