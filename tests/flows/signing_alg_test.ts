import { assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { type ClientConfig, createFullServer } from "../../src/server/features.ts";
import { basic, claimsOf, type Kit, openKit } from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

const redirect_uri = "https://app.example/cb";
const secret = "a-secret";
const authentication = basic("app", secret);

/** One client of a server that signs access tokens with ES256. */
function open(changes: Partial<ClientConfig> = {}, config: Partial<LabConfig> = {}): Kit {
  const app = { id: "app", secret, redirectUris: [redirect_uri], ...changes };
  return openKit({ alg: "ES256", clients: [app], ...config });
}

const algOf = (jwt: string): string => decodeProtectedHeader(jwt).alg ?? "";

async function tokensOf(kit: Kit, browser = kit.browser()) {
  const code =
    (await kit.authorize({ client_id: "app", redirect_uri, scope: "openid" }, {}, browser)).get(
      "code",
    )!;
  return (await kit.redeem(code, { client_id: undefined, redirect_uri }, authentication)).body;
}

async function signedResponseOf(changes: Partial<ClientConfig> = {}): Promise<string> {
  const request = { client_id: "app", redirect_uri, scope: "openid", response_mode: "jwt" };
  return (await open(changes).authorize(request)).get("response")!;
}

async function introspectionOf(changes: Partial<ClientConfig> = {}): Promise<string> {
  const kit = open(changes);
  const { access_token } = await tokensOf(kit);
  const headers = { ...authentication, Accept: "application/token-introspection+jwt" };
  return (await kit.introspect(access_token, {}, headers)).text;
}

describe("What signs", () => {
  it("is RS256 for access tokens if the server has no alg", async () => {
    assertEquals(algOf((await openKit({ alg: undefined }).tokens()).access_token), "RS256");
  });
});

describe("The at_hash of an ID token (OpenID Connect Core, section 3.1.3.6)", () => {
  for (const [idTokenAlg, algorithm] of [["RS256", "sha256"], ["EdDSA", "sha512"]] as const) {
    it(`O04 is half of the ${algorithm} of the access token if ${idTokenAlg} signs`, async () => {
      const { access_token, id_token } = await tokensOf(open({ idTokenAlg }));
      const hash = createHash(algorithm).update(access_token).digest();
      const half = hash.subarray(0, hash.length / 2).toString("base64url");
      assertEquals(claimsOf(id_token).at_hash, half);
    });
  }
});

describe("What signs, where the server's alg is ES256", () => {
  it("is ES256 for access tokens, and RS256 for ID tokens (OpenID Connect Registration, section 2)", async () => {
    const { access_token, id_token } = await tokensOf(open());
    assertEquals([access_token, id_token].map(algOf), ["ES256", "RS256"]);
  });

  if (hasFeature("introspection")) {
    it("is RS256 for authorization responses and introspection responses as well", async () => {
      const jwts = [await signedResponseOf(), await introspectionOf()];
      assertEquals(jwts.map(algOf), ["RS256", "RS256"]);
    });
  }

  if (hasFeature("introspection")) {
    it("is what the client names", async () => {
      const algs: Partial<ClientConfig> = {
        idTokenAlg: "EdDSA",
        authorizationResponseAlg: "ES256",
        introspectionAlg: "PS256",
      };
      const { id_token } = await tokensOf(open(algs));
      const jwts = [id_token, await signedResponseOf(algs), await introspectionOf(algs)];
      assertEquals(jwts.map(algOf), ["EdDSA", "ES256", "PS256"]);
    });
  }

  it("has its keys made ahead, and shown", async () => {
    const server = createFullServer({
      issuer: "https://id.example",
      alg: "ES256",
      clients: [{ id: "app", secret, idTokenAlg: "EdDSA" }],
    });
    await server.ready();
    const made = (await server.context.keys.list()).map(({ alg }) => alg).sort();
    const shown = (await server.context.keys.published()).map(({ alg }) => alg).sort();
    assertEquals([made, shown], [["ES256", "EdDSA", "RS256"], ["ES256", "EdDSA", "RS256"]]);
  });
});
