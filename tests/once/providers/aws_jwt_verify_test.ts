import { assertEquals, assertRejects } from "@std/assert";
import { CognitoJwtVerifier } from "aws-jwt-verify";
import { CognitoJwtInvalidGroupError } from "aws-jwt-verify/error";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import { describe, it } from "node:test";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { clientAt, openProvider } from "../../support/provider_login.ts";

const userPoolId = "eu-west-1_Hallpass1";
const host = "https://cognito-idp.eu-west-1.amazonaws.com";
const domain = "https://shop.auth.eu-west-1.amazoncognito.com";

function open(): Promise<TestLab> {
  return openProvider("cognito", {
    issuer: `${host}/${userPoolId}`,
    frontChannelUrl: domain,
    backChannelUrl: domain,
    users: [{ name: "alice", claims: { "cognito:groups": ["ops"] } }],
  });
}

/** The library as an application makes it; its keys come from the lab in place of Cognito. */
function verifierFor(lab: TestLab, tokenUse: "id" | "access", groups?: string) {
  const fetchKeys = async (uri: string) => await (await lab.fetch(uri)).arrayBuffer();
  return CognitoJwtVerifier.create({
    ...{ userPoolId, tokenUse, clientId: "web" },
    ...groups !== undefined && { groups },
  }, { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) });
}

async function tokensOf(lab: TestLab) {
  const app = clientAt(lab, [`${domain}/oauth2/authorize`, `${domain}/oauth2/token`]);
  return (await app.logIn({ scope: "openid email" })).tokens;
}

describe("aws-jwt-verify, at the pool that it knows", () => {
  it("accepts the tokens of a login, by the keys that the pool publishes", async () => {
    await using lab = await open();
    const tokens = await tokensOf(lab);
    const access = await verifierFor(lab, "access", "ops").verify(tokens.access_token);
    assertEquals([access.username, access.client_id, access.version], ["alice", "web", 2]);
    const id = await verifierFor(lab, "id").verify(tokens.id_token);
    assertEquals([id["cognito:username"], id.aud, id.sub], ["alice", "web", access.sub]);
  });

  it("refuses an ID token as an access token, and the other way round", async () => {
    await using lab = await open();
    const tokens = await tokensOf(lab);
    await assertRejects(
      () => verifierFor(lab, "access").verify(tokens.id_token),
      Error,
      "Token use not allowed: id. Expected: access",
    );
    await assertRejects(
      () => verifierFor(lab, "id").verify(tokens.access_token),
      Error,
      "Token use not allowed: access. Expected: id",
    );
  });

  it("refuses a user of another group", async () => {
    await using lab = await open();
    const { access_token } = await tokensOf(lab);
    await assertRejects(
      () => verifierFor(lab, "access", "admins").verify(access_token),
      CognitoJwtInvalidGroupError,
    );
  });
});
