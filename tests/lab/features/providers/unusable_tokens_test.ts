import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { type ProviderName, providerNames } from "../../../../src/lab/features/providers/config.ts";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { present } from "../../../support/present.ts";
import { openProvider, webClient } from "../../../support/provider_login.ts";

/** Where each provider takes an access token. Apple has no such endpoint. */
const places: Readonly<Record<ProviderName, string | undefined>> = {
  apple: undefined,
  auth0: "/userinfo",
  cognito: "/oauth2/userInfo",
  discord: "/api/users/@me",
  entra: "/oidc/userinfo",
  github: "/user",
  gitlab: "/oauth/userinfo",
  google: "/v1/userinfo",
  keycloak: "/realms/master/protocol/openid-connect/userinfo",
  linkedin: "/v2/userinfo",
  okta: "/oauth2/default/v1/userinfo",
  slack: "/api/openid.connect.userInfo",
};

type Prepare = (lab: TestLab) => Promise<string>;

async function mintToken(lab: TestLab): Promise<string> {
  const client = webClient.id;
  const minted = await lab.mint({ sub: "alice", client, scope: "openid", expiresIn: "1h" });
  return present(minted.access_token);
}

/** What comes in place of an active access token, and how the report explains it. */
const tokens: Readonly<Record<string, [prepare: Prepare, received: string, fix: string]>> = {
  expired: [
    async (lab) => {
      const token = await mintToken(lab);
      lab.clock.advance("2h");
      return token;
    },
    "one that expired 1 hour ago",
    "Refresh the access token, and try again.",
  ],
  revoked: [
    async (lab) => {
      const token = await mintToken(lab);
      lab.configure({ users: [{ name: "bob" }] });
      return token;
    },
    "an access token that was revoked, or whose client or user changed",
    "Request new tokens: a token that was revoked never becomes active again.",
  ],
  garbage: [
    () => Promise.resolve("ya29.garbage"),
    "text that is no token of this server",
    "Send an access token as it was issued",
  ],
};

describe("The record of a lab that plays a provider explains a token that is", () => {
  for (const provider of providerNames) {
    const path = places[provider];
    if (path === undefined) continue;
    for (const [kind, [prepare, expected, fix]] of Object.entries(tokens)) {
      it(`${kind}: ${provider}`, async () => {
        await using lab = await openProvider(provider);
        lab.clock.freeze();
        const headers = { Authorization: `Bearer ${await prepare(lab)}` };
        await lab.fetch(new URL(path, lab.issuer).href, { headers });
        const refused = lab.requests().filter(({ refusal }) => refusal);
        assertEquals(refused.length, 1);
        const { path: at, refusal } = present(refused[0]);
        const { rule, received = "", fix: advice = "" } = present(refusal);
        assertEquals([path.endsWith(at), rule], [true, "token.active"]);
        assertEquals(received, expected);
        assertStringIncludes(advice, fix);
      });
    }
  }
});
