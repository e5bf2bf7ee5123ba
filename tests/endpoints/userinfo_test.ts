import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../support/it_with.ts";
import { endToken, type Kit, openKit, read, service } from "../support/kit.ts";
import { itRefuses, toRows } from "../support/refusals.ts";
import type { Tokens } from "../support/wire.ts";

const it = itWith({ withKit: () => openKit() });

function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

/** The challenges of a response to a request without a token. */
const challenges =
  'Bearer realm="https://hallpass.test", DPoP realm="https://hallpass.test", algs="ES256 PS256 EdDSA Ed25519 RS256"';

describe("The userinfo endpoint (OpenID Connect Core, section 5.3)", () => {
  it.withKit("O06 O07 returns by GET what the scope allows, and no more", async (kit) => {
    const { access_token } = await kit.tokens({ scope: "openid email" });
    const { status, headers, body } = await kit.userinfo(access_token);
    assertEquals(status, 200);
    assertEquals(headers.get("Content-Type"), "application/json");
    assertEquals(headers.get("Cache-Control"), "no-store");
    assertEquals(body, { sub: "alice", email: "alice@example.com", email_verified: true });
  });

  const counts = { profile: 14, email: 2, address: 1, phone: 2 };
  for (const [scope, names] of Object.entries(counts)) {
    it.withKit(`O07 returns the claims of '${scope}'`, async (kit) => {
      const { access_token } = await kit.tokens({ scope: `openid ${scope}` });
      const { body } = await kit.userinfo(access_token);
      assertEquals(Object.keys(body).length, names + 1);
    });
  }

  it.withKit("O06 takes a POST with the token in the header", async (kit) => {
    const { access_token } = await kit.tokens();
    const response = await kit.post("/oauth2/userinfo", {}, bearer(access_token));
    assertEquals((await read(response)).body.sub, "alice");
  });

  it.withKit("R01 takes a POST with the token in the form", async (kit) => {
    const { access_token } = await kit.tokens();
    const response = await kit.post("/oauth2/userinfo", { access_token });
    assertEquals((await read(response)).body.sub, "alice");
  });

  it.withKit("R01 B16 does not see a token in the query", async (kit) => {
    const { access_token } = await kit.tokens();
    assertEquals((await kit.get(`/oauth2/userinfo?access_token=${access_token}`)).status, 401);
  });

  it.withKit("R02 knows the scheme in any case", async (kit) => {
    const { access_token } = await kit.tokens();
    for (const scheme of ["bearer", "BEARER"]) {
      assertEquals((await kit.userinfo(access_token, scheme)).status, 200);
    }
  });

  it("R03 without a token names the scheme and no error", async () => {
    const { status, headers, text } = await read(await openKit().get("/oauth2/userinfo"));
    assertEquals([status, headers.get("WWW-Authenticate"), text], [401, challenges, ""]);
  });

  for (const scheme of ["Bearer", "DPoP"]) {
    it(`I7: the challenge of the scheme that was used comes first, with the error: ${scheme}`, async () => {
      const { status, headers } = await openKit().userinfo("wrong", scheme);
      const [first = "", second = ""] = headers.get("WWW-Authenticate")!.split(/, (?=DPoP|Bearer)/);
      assertEquals(status, 401);
      assertMatch(first, new RegExp(`^${scheme} .*error="invalid_token"`));
      assertEquals(second.includes("error="), false);
    });
  }

  it("R03 takes another scheme for no token", async () => {
    const { status, headers } = await openKit().userinfo("eDp5", "Basic");
    assertEquals([status, headers.get("WWW-Authenticate")], [401, challenges]);
  });

  it.withKit("R03 does not mention tokens if the method is wrong", async (kit) => {
    const response = await kit.request("/oauth2/userinfo", { method: "PUT" });
    assertEquals([response.status, response.headers.get("WWW-Authenticate")], [405, null]);
  });

  it("O06 takes the tokens of a server whose default audience is another API", async () => {
    const kit = openKit({ defaultResource: "https://api.example" });
    const { access_token } = await kit.tokens();
    assertEquals((await kit.userinfo(access_token)).status, 200);
  });

  it.withKit("CVE-2026-27840: refuses a token that is written in another way", async (kit) => {
    const { access_token } = await kit.tokens();
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const twin = alphabet[alphabet.indexOf(access_token.at(-1)!) ^ 1];
    const others = [`${access_token}==`, access_token.slice(0, -1) + twin, `${access_token}.`];
    for (const other of others) {
      assertEquals((await kit.userinfo(other)).status, 401, other.slice(-5));
    }
  });

  it.withKit("R03 with two tokens responds with invalid_request", async (kit) => {
    const { access_token } = await kit.tokens();
    const both = [{ access_token }, bearer(access_token)] as const;
    const { status, headers } = await kit.post("/oauth2/userinfo", ...both);
    assertEquals(status, 400);
    assertMatch(headers.get("WWW-Authenticate")!, /error="invalid_request"/);
  });

  const dead: Record<string, (kit: Kit, tokens: Tokens) => string | Promise<string>> = {
    "an expired token": (kit, { access_token }) => (kit.clock.advance(3600), access_token),
    "a refresh token": (_, { refresh_token }) => refresh_token,
    "a token without its signature": (_, { access_token }) =>
      access_token.split(".").slice(0, 2).join(".") + ".",
    "a token with another signature": (_, { access_token }) =>
      access_token.slice(0, -4) + (access_token.endsWith("AAAA") ? "BBBB" : "AAAA"),
    "a token with alg none": (_, { access_token }) =>
      `${btoa('{"alg":"none","typ":"at+jwt"}').replace(/=+$/, "")}.${access_token.split(".")[1]}.`,
    "a revoked token": async (kit, { access_token }) => {
      await endToken(kit, access_token);
      return access_token;
    },
    "a token that has expired since it was last seen": async (kit, { access_token }) => {
      assertEquals((await kit.userinfo(access_token)).status, 200);
      kit.clock.advance(3600);
      return access_token;
    },
    "a token of another server, though it holds the same keys": async () =>
      (await openKit({ issuer: "https://other.test" }).tokens()).access_token,
  };

  describe("refuses", () => {
    itRefuses({
      ...toRows(dead, (kill) => [
        "token.active",
        async (kit) => kit.userinfo(await kill(kit, await kit.tokens())),
      ]),
      "an ID token": ["token.access", async (kit) => kit.userinfo((await kit.tokens()).id_token)],
      "a token that is meant for another audience": [
        "token.audience",
        async (kit) =>
          kit.userinfo((await kit.tokens({ resource: "https://api.example" })).access_token),
      ],
      "R03 a bad token": ["token.active", (kit) => kit.userinfo("x")],
      "R03 a token without the scope openid": [
        "token.openid",
        async (kit) => kit.userinfo((await kit.tokens({ scope: "read" })).access_token),
      ],
      "the token of a client that acts for itself": ["token.openid", async (kit) => {
        const { body } = await kit.token({ grant_type: "client_credentials" }, service);
        return kit.userinfo(body.access_token);
      }],
    });
  });
});
