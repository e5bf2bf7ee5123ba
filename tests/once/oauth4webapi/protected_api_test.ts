import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type HallpassOptions } from "../../../src/lab/testing/mod.ts";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import { present } from "../../support/present.ts";
import { type Library, openLibrary, optionsFor } from "./library_login.ts";

const api = new URL("https://api.test/mcp");
const documentUrl = "https://client.test/mcp.json";
const redirectUri = "http://127.0.0.1:4711/callback";
const metadata = {
  client_name: "An MCP client",
  redirect_uris: ["http://127.0.0.1/callback"],
  token_endpoint_auth_method: "none",
};

/** Opens a lab and an API that it protects, and returns the way to both, as a client finds them. */
async function openNetwork(more: HallpassOptions) {
  const fetchUntrusted = async () => Response.json({ ...metadata, client_id: documentUrl });
  const lab = await hallpass({ resources: [api.href], fetchUntrusted, ...more });
  const { handle, require } = protectedResource({
    resource: api.href,
    authorizationServers: [lab.issuer],
    scopes: ["read"],
    fetch: lab.fetch,
  });

  async function respond(request: Request): Promise<Response> {
    const access = handle(request) ?? await require(request, { scope: ["read"] });
    return access instanceof Response ? access : Response.json({ hello: access.subject });
  }
  const fetch = (url: string, init: object) =>
    url.startsWith(api.origin) ? respond(new Request(url, init)) : lab.fetch(url, init);
  return { lab, fetch };
}

type KnownBy = (library: Library) => Promise<oauth.Client> | oauth.Client;

/** From the refusal of an API to the server that it trusts (RFC 9728). */
async function discover(options: Library["options"]) {
  const call = () => oauth.protectedResourceRequest("none", "POST", api, undefined, null, options);
  const refused = await assertRejects(call, oauth.WWWAuthenticateChallengeError);
  const place = "https://api.test/.well-known/oauth-protected-resource/mcp";
  const [challenge] = (refused as oauth.WWWAuthenticateChallengeError).cause;
  assertEquals(challenge?.parameters.resource_metadata, place);
  const found = await oauth.resourceDiscoveryRequest(api, options);
  return await oauth.processResourceDiscoveryResponse(api, found);
}

/** Goes the way of a client that knows nothing but the address of an API. */
async function callApi(knownBy: KnownBy, more: HallpassOptions, DPoP?: oauth.DPoPHandle) {
  const { lab, fetch } = await openNetwork(more);
  await using _ = lab;
  const found = await discover(optionsFor({ issuer: lab.issuer, fetch }));
  const door = { issuer: present(found.authorization_servers?.[0]), fetch };
  const own = { redirectUri, algorithm: "oauth2" as const, ...DPoP && { DPoP } };
  const client = await knownBy(await openLibrary(door, own));
  const library = await openLibrary(door, { ...own, client });
  const { resource, scopes_supported = [] } = found;
  const { url, state, verifier } = await library.begin({
    scope: scopes_supported.join(" "),
    resource,
  });
  const { callback } = await lab.authorize(url, { user: "alice" });
  const redeemed = library.redeem(library.validate(callback, state), verifier, {}, {
    additionalParameters: { resource },
  });
  const { access_token } = await redeemed;
  lab.assertClean();
  const { options } = library;
  return await oauth.protectedResourceRequest(access_token, "POST", api, undefined, null, options);
}

describe("A client of oauth4webapi that knows nothing but the address of an API", () => {
  const configured: KnownBy = () => ({ client_id: "app" });
  const clients = [{ id: "app", redirectUris: metadata.redirect_uris, native: true }];
  const rows: Record<string, [KnownBy, HallpassOptions, (() => Promise<oauth.DPoPHandle>)?]> = {
    "finds its way by the API's metadata, and in": [configured, { clients }],
    "brings a token that is bound to its key": [
      configured,
      { clients },
      async () => oauth.DPoP({}, await oauth.generateKeyPair("ES256")),
    ],
    "registers with an MCP server, asks the person, and is let in": [
      ({ register }) => register(metadata),
      { profile: "mcp" },
    ],
    "is known to an MCP server by its metadata document, asks the person, and is let in": [
      () => ({ client_id: documentUrl }),
      { profile: "mcp" },
    ],
  };
  for (const [title, [knownBy, more, makeProofs]] of Object.entries(rows)) {
    it(title, async () => {
      const response = await callApi(knownBy, more, await makeProofs?.());
      assertEquals(await response.json(), { hello: "alice" });
    });
  }
});
