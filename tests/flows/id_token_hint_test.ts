import { assertEquals } from "@std/assert";
import { SignJWT } from "jose";
import { describe, it } from "node:test";
import { matchesHint, readIdTokenHint } from "../../src/server/issuer/requests/id_token_hint.ts";
import { readTokenId } from "../../src/server/issuer/tokens/token_ids.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { claimsOf, openKit } from "../support/kit.ts";

describe("An ID token that comes back as a hint (OpenID Connect Core, section 3.1.2.1)", () => {
  it("O02 O13 is read though it has expired", async () => {
    const kit = openKit();
    const { id_token } = await kit.tokens();
    kit.clock.advance(90 * 86_400);
    const hint = await readIdTokenHint(kit.server.context, id_token);
    const { sid, jti } = claimsOf(id_token);
    const authorization = readTokenId(String(jti)).authorizationId;
    assertEquals(hint, { subject: "alice", clientId: "demo-spa", sid, authorization });
  });

  it("oidcc-rp-initiated-logout-modified-id-token-hint: is nothing with another signature, algorithm, issuer or type", async () => {
    const kit = openKit();
    const ctx = kit.server.context;
    const { id_token, access_token } = await kit.tokens();
    const [, payload, signature = ""] = id_token.split(".");
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}').replaceAll("=", "")}.${payload}.`;
    const { kid, privateKey } = await ctx.keys.active("RS256");
    const foreign = await new SignJWT({ ...claimsOf(id_token), iss: "https://other.test" })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid }).sign(await privateKey());
    const changed = id_token.replace(
      signature,
      signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`,
    );
    for (const text of [unsigned, foreign, changed, access_token, "x", "x.y.z", ""]) {
      assertEquals(await readIdTokenHint(ctx, text), undefined, text);
    }
  });

  it("O12 names a user as its own client knows them", async () => {
    const redirectUris = ["https://app.example/cb"];
    const kit = openKit({
      clients: [{ id: "pair", redirectUris, subjectType: "pairwise" }, {
        id: "open",
        redirectUris,
      }],
    });
    const ctx = kit.server.context;
    const alice = (await findUser(ctx, "alice"))!;
    assertEquals(await matchesHint(ctx, { subject: "alice", clientId: "open" }, alice), true);
    assertEquals(await matchesHint(ctx, { subject: "alice", clientId: "pair" }, alice), false);
    assertEquals(await matchesHint(ctx, { subject: "alice", clientId: "gone" }, alice), false);
  });
});
