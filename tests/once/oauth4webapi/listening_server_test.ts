import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import * as oauth from "oauth4webapi";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { serverAt } from "../../support/http.ts";
import { itWith } from "../../support/it_with.ts";
import { createLabServer } from "../../support/lab_server.ts";
import { present } from "../../support/present.ts";
import { type LibraryDoor, type LibraryOptions, openLibrary } from "./library_login.ts";

/** A lab that truly listens, on the runtime of this test. */
async function withLab(
  act: (door: LibraryDoor) => Promise<void>,
  config: Partial<LabConfig> = {},
): Promise<void> {
  const door = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  const listening = await serve({ fetch: (request) => door.fetch(request) }, { port: 0 });
  const issuer = `http://localhost:${listening.port}`;
  const lab = createLabServer({ issuer, ...config });
  door.fetch = lab.fetch;
  try {
    await act({ issuer, fetch });
  } finally {
    await listening.close();
    await lab.close();
  }
}

/** The whole flow, the way a careful client goes through it. */
async function completeFlow(door: LibraryDoor, own: LibraryOptions = {}) {
  const library = await openLibrary(door, own);
  const begun = await library.begin({ scope: "openid profile email read", max_age: "3600" });
  const callback = await serverAt(door.issuer).browser().authorize(begun.url);
  const checks = { maxAge: 3600, requireIdToken: true };
  const tokens = await library.finish(callback, begun, { checks, verifySignature: true });
  return { ...library, tokens };
}

const it = itWith({ listening: { around: withLab } });

describe("A client of oauth4webapi, against a server that listens", () => {
  const clients: Array<[client: string, method: string, auth: oauth.ClientAuth]> = [
    ["demo-spa", "none", oauth.None()],
    ["demo-web", "client_secret_basic", oauth.ClientSecretBasic("demo-web-secret")],
    ["demo-web", "client_secret_post", oauth.ClientSecretPost("demo-web-secret")],
  ];
  for (const [client, method, auth] of clients) {
    it.listening(`completes the flow as ${client} with ${method}`, async (door) => {
      const { tokens, userinfo, refresh, revoke } = await completeFlow(door, { client, auth });
      const { sub } = present(oauth.getValidatedIdTokenClaims(tokens));
      const { email } = await userinfo(tokens.access_token, sub);
      assertEquals([sub, email], ["alice", "alice@example.com"]);
      const next = await refresh(present(tokens.refresh_token));
      assertEquals(oauth.getValidatedIdTokenClaims(next)?.sub, "alice");
      const last = present(next.refresh_token);
      await revoke(last);
      await assertRejects(() => refresh(last), oauth.ResponseBodyError);
    });
  }

  it.listening("gets a token for itself, and introspects it", async (door) => {
    const auth = oauth.ClientSecretBasic("demo-service-secret");
    const service = await openLibrary(door, { client: "demo-service", auth });
    const { access_token } = await service.clientCredentials({ scope: "read write" });
    const { active, scope } = await service.introspect(access_token);
    assertEquals([active, scope], [true, "read write"]);
  });

  it.listening("verifies an access token as an API does (RFC 9068)", async (door) => {
    const { server, tokens, options } = await completeFlow(door);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const request = new Request(`${door.issuer}/api`, { headers });
    const claims = await oauth.validateJwtAccessToken(server, request, door.issuer, options);
    assertEquals([claims.sub, claims.client_id], ["alice", "demo-spa"]);
  });

  for (const dpopNonces of [false, true]) {
    it(`binds its tokens to a key by DPoP, ${dpopNonces ? "with" : "without"} nonces`, async () => {
      await withLab(async (door) => {
        const client: oauth.Client = { client_id: "demo-spa" };
        const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
        const { tokens, userinfo, refresh } = await completeFlow(door, { client, DPoP });
        assertEquals(tokens.token_type, "dpop");
        assertEquals((await userinfo(tokens.access_token)).sub, "alice");
        assertEquals((await refresh(present(tokens.refresh_token))).token_type, "dpop");
      }, { dpopNonces });
    });
  }

  const ways: Record<string, (secret: string) => oauth.ClientAuth> = {
    none: () => oauth.None(),
    client_secret_basic: (secret) => oauth.ClientSecretBasic(secret),
    client_secret_jwt: (secret) => oauth.ClientSecretJwt(secret),
  };
  for (const [method, authenticate] of Object.entries(ways)) {
    it.listening(`registers itself, and completes the flow with ${method}`, async (door) => {
      const client = await (await openLibrary(door)).register({
        redirect_uris: [`${door.issuer}/authorized`],
        token_endpoint_auth_method: method,
        grant_types: ["authorization_code", "refresh_token"],
        default_max_age: 3600,
      });
      const auth = authenticate(String(client.client_secret));
      const { tokens } = await completeFlow(door, { client, auth });
      assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.aud, client.client_id);
    });
  }

  it.listening("finds the metadata of RFC 8414 as well", async (door) => {
    const { server } = await openLibrary(door, { algorithm: "oauth2" });
    assertEquals(server.issuer, door.issuer);
  });
});
