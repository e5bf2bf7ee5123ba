import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import { type Kit, openKit, verifier } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

/** The library has a clock of its own, so the server goes by it, too. */
function openNow(): Kit {
  const kit = openKit();
  kit.clock.now = Date.now();
  return kit;
}

const resource = "https://api.test/mcp";

/** A lab and an API in one process, as a client that connects to hosts sees them. */
function openHosts(kit: Kit) {
  const now = () => kit.clock.now;
  const fetch = (
    url: string,
    { signal: _, ...init }: { signal?: AbortSignal },
  ): Promise<Response> => {
    const request = new Request(url, init);
    return url.startsWith("https://api.test/") ? answer(request) : kit.server.fetch(request);
  };
  const api = protectedResource({
    resource,
    authorizationServers: [kit.issuer],
    scopes: ["read"],
    now,
    fetch,
  });

  async function answer(request: Request): Promise<Response> {
    const document = api.handle(request);
    if (document) return document;
    const access = await api.require(request, { scope: ["read"] });
    return access instanceof Response ? access : Response.json({ hello: access.subject });
  }
  return { [oauth.customFetch]: fetch };
}

/**
 * Walks from the API's refusal to its answer, the way a client goes that knows nothing but the
 * address of the API.
 */
async function callApi(kit: Kit, DPoP?: oauth.DPoPHandle) {
  const options = { ...openHosts(kit), ...DPoP && { DPoP } };
  const url = new URL(resource);
  const refused = await assertRejects(() =>
    oauth.protectedResourceRequest("x", "GET", url, undefined, null, openHosts(kit))
  );
  const { parameters } = present((refused as oauth.WWWAuthenticateChallengeError).cause[0]);
  assertEquals(
    parameters.resource_metadata,
    "https://api.test/.well-known/oauth-protected-resource/mcp",
  );

  const found = await oauth.processResourceDiscoveryResponse(
    url,
    await oauth.resourceDiscoveryRequest(url, options),
  );
  const issuer = new URL(present(found.authorization_servers?.[0]));
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options),
  );
  const code = await kit.code({
    scope: found.scopes_supported!.join(" "),
    resource: found.resource,
  });
  const client: oauth.Client = { client_id: "demo-spa" };
  const redirectUri = `${kit.issuer}/authorized`;
  const callback = oauth.validateAuthResponse(
    as,
    client,
    new URLSearchParams({ code, iss: as.issuer }),
    oauth.expectNoState,
  );
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    callback,
    redirectUri,
    verifier,
    options,
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(as, client, answer);
  return await (await oauth.protectedResourceRequest(
    access_token,
    "GET",
    url,
    undefined,
    null,
    options,
  )).json();
}

describe("A client of oauth4webapi before an API", () => {
  it("finds its way by the API's metadata, and in", async () => {
    assertEquals(await callApi(openNow()), { hello: "alice" });
  });

  it("brings a token that is bound to its key", async () => {
    assertEquals(await callApi(openNow(), oauth.DPoP({}, await oauth.generateKeyPair("ES256"))), {
      hello: "alice",
    });
  });
});
