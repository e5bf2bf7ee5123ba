import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import { present } from "../../support/present.ts";

const server = "https://mcp.test/mcp";
const documentUrl = "https://client.test/mcp.json";
const redirectUri = "http://127.0.0.1:4711/callback";
const metadata = {
  client_name: "An MCP client",
  redirect_uris: ["http://127.0.0.1/callback"],
  token_endpoint_auth_method: "none",
};

type Options = { [oauth.customFetch]: (url: string, init: object) => Promise<Response> };

/**
 * A lab under the profile mcp, an MCP server that it protects, and the way to both: what a client
 * finds on the network.
 */
async function openNetwork(): Promise<{ lab: TestLab; options: Options }> {
  const fetchUntrusted = async () => Response.json({ ...metadata, client_id: documentUrl });
  const lab = await hallpass({ profile: "mcp", resources: [server], fetchUntrusted });
  const fetchLab = (url: string, init: object) => lab.fetch(url, init);
  const api = protectedResource({
    resource: server,
    authorizationServers: [lab.issuer],
    scopes: ["read"],
    fetch: fetchLab,
  });

  async function tools(request: Request): Promise<Response> {
    const access = api.handle(request) ?? await api.require(request, { scope: ["read"] });
    return access instanceof Response
      ? access
      : Response.json({ tools: ["echo"], for: access.subject });
  }
  const customFetch = (url: string, init: object) =>
    url.startsWith("https://mcp.test/") ? tools(new Request(url, init)) : fetchLab(url, init);
  return { lab, options: { [oauth.customFetch]: customFetch } };
}

/**
 * From the refusal of the MCP server to the metadata of the authorization server that it trusts
 * (RFC 9728, RFC 8414).
 */
async function discover(
  options: Options,
): Promise<{ resource: oauth.ResourceServer; as: oauth.AuthorizationServer }> {
  const url = new URL(server);
  const refused = await assertRejects(() =>
    oauth.protectedResourceRequest("none", "POST", url, undefined, null, options)
  );
  const { parameters } = present((refused as oauth.WWWAuthenticateChallengeError).cause[0]);
  assertEquals(
    parameters.resource_metadata,
    "https://mcp.test/.well-known/oauth-protected-resource/mcp",
  );
  const resource = await oauth.processResourceDiscoveryResponse(
    url,
    await oauth.resourceDiscoveryRequest(url, options),
  );
  const issuer = new URL(present(resource.authorization_servers?.[0]));
  const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
  return { resource, as: await oauth.processDiscoveryResponse(issuer, answer) };
}

async function register(as: oauth.AuthorizationServer, options: Options): Promise<oauth.Client> {
  const answer = await oauth.dynamicClientRegistrationRequest(as, metadata, options);
  return await oauth.processDynamicClientRegistrationResponse(answer);
}

/** Asks the person, and calls the MCP server with what they allowed. */
async function call(
  lab: TestLab,
  options: Options,
  chooseClient: (as: oauth.AuthorizationServer) => Promise<oauth.Client>,
) {
  const { resource, as } = await discover(options);
  const client = await chooseClient(as);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: resource.scopes_supported!.join(" "),
    resource: resource.resource,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const { callback } = await lab.authorize(
    `${as.authorization_endpoint}?${new URLSearchParams(parameters)}`,
    { user: "alice" },
  );
  const response = oauth.validateAuthResponse(as, client, new URL(callback), state);
  const additionalParameters = { resource: resource.resource };
  const request = { ...options, additionalParameters };
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    response,
    redirectUri,
    verifier,
    request,
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(as, client, answer);
  return await (await oauth.protectedResourceRequest(
    access_token,
    "POST",
    new URL(server),
    undefined,
    null,
    options,
  )).json();
}

describe("An MCP client that knows nothing but the address of an MCP server", () => {
  it("registers itself, asks the person, and is let in", async () => {
    const { lab, options } = await openNetwork();
    assertEquals(await call(lab, options, (as) => register(as, options)), {
      tools: ["echo"],
      for: "alice",
    });
    lab.assertClean();
    await lab.close();
  });

  it("is known by its metadata document, asks the person, and is let in", async () => {
    const { lab, options } = await openNetwork();
    assertEquals(await call(lab, options, async () => ({ client_id: documentUrl })), {
      tools: ["echo"],
      for: "alice",
    });
    lab.assertClean();
    await lab.close();
  });
});
