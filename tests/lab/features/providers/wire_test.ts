import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ProviderName } from "../../../../src/lab/features/providers/config.ts";
import {
  callback,
  callbackOf,
  openProvider,
  playedStatus,
  publicClient,
  webClient,
} from "../../../support/provider_login.ts";
import { assertClean, assertLeniency } from "../../../support/reported.ts";

const host = "https://hallpass.test";
const openid = "openid profile email";

/** What a client asks for, where a provider has other scopes. */
const scopes: Partial<Record<ProviderName, string>> = {
  discord: "identify",
  github: "read:user user:email",
  gitlab: "openid email",
};

/** What comes with the code, and whether a client without a secret needs PKCE. */
const callbacks: Array<[facts: string, parameters: Record<string, string>, isForced?: boolean]> = [
  ["auth0.pkce auth0.response", {}, true],
  ["cognito.redirect", {}],
  ["discord.callback discord.redirect discord.pkce", {}],
  ["github.no_iss github.redirect", {}],
  ["gitlab.pkce gitlab.callback", {}],
  ["google.pkce google.callback google.redirect", {
    ...{ scope: openid, authuser: "0", prompt: "consent", iss: host },
  }, true],
  ["linkedin.callback linkedin.redirect linkedin.pkce", {}],
  ["okta.pkce okta.redirect", { iss: `${host}/oauth2/default` }, true],
  ["slack.callback slack.pkce", {}],
];

const invalidGrant = "invalid_grant";

/** What makes a token request wrong, and the body of the response, or how it begins. */
const refusals: Array<
  [facts: string, fields: Record<string, string>, status: number, body: object | RegExp]
> = [
  ["cognito.errors", { code: "x" }, 400, { error: invalidGrant }],
  ["cognito.errors", { grant_type: "refresh_token", refresh_token: "x" }, 400, {
    error: invalidGrant,
  }],
  ["cognito.errors", { grant_type: "refresh_token" }, 400, { error: "invalid_request" }],
  ["cognito.errors", { grant_type: "password" }, 400, { error: "unsupported_grant_type" }],
  ["cognito.errors", { client_secret: "wrong" }, 400, { error: "invalid_client" }],
  ["discord.errors", { code: "x" }, 400, {
    ...{ error: invalidGrant, error_description: 'Invalid "code" in request.' },
  }],
  ["discord.errors", { redirect_uri: `${callback}/other` }, 400, {
    ...{ error: invalidGrant, error_description: 'Invalid "redirect_uri" in request.' },
  }],
  ["discord.errors", { client_secret: "wrong" }, 401, { error: "invalid_client" }],
  ["discord.errors", { grant_type: "refresh_token", refresh_token: "x" }, 400, {
    error: invalidGrant,
  }],
  [
    "gitlab.errors",
    { code: "unknown" },
    400,
    /^\w+: The provided authorization grant is invalid, expired, revoked/,
  ],
  [
    "gitlab.errors",
    { client_secret: "wrong" },
    401,
    /^\w+: Client authentication failed due to unknown client, no/,
  ],
  ["google.errors", { code: "4/0x" }, 400, /: Bad Request$/],
  ["google.errors", { grant_type: "refresh_token", refresh_token: "1//0x" }, 400, /: Bad Request$/],
  ["google.errors", { client_secret: "wrong" }, 401, /: Unauthorized$/],
  ["linkedin.not_found", { code: "x" }, 401, /^invalid_request: Unable to retrieve access token/],
  ["linkedin.mismatch", { redirect_uri: `${callback}/x` }, 400, /^invalid_redirect_uri: Unable to/],
  ["linkedin.client", { client_secret: "x" }, 401, /^invalid_client: Client authentication failed/],
  ["slack.token_errors", { code: "unknown" }, 200, { ok: false, error: "invalid_code" }],
  ["slack.token_errors", { redirect_uri: `${callback}/other` }, 200, {
    ...{ ok: false, error: "bad_redirect_uri" },
  }],
  ["slack.token_errors", { client_secret: "wrong" }, 200, {
    ...{ ok: false, error: "bad_client_secret" },
  }],
  ["slack.token_errors", { grant_type: "password" }, 200, {
    ...{ ok: false, error: "unsupported_grant_type" },
  }],
];

function playedIn(facts: string) {
  const provider = facts.split(".")[0] as ProviderName;
  return { provider, scope: scopes[provider] ?? openid };
}

describe("A lab that plays a provider", () => {
  for (const [facts, parameters, isForced] of callbacks) {
    it(`${facts}: redirects with 302, code and state, without PKCE`, async () => {
      const { provider, scope } = playedIn(facts);
      await using lab = await openProvider(provider, { clients: [webClient, publicClient] });
      const response = await lab.ask({ scope });
      const { code, ...others } = callbackOf(response);
      assertEquals([response.status, typeof code], [playedStatus, "string"]);
      assertEquals(others, { state: "a-state", ...parameters });
      const refused = await lab.callback({ scope, client_id: publicClient.id });
      if (isForced) assertEquals(refused.error, "invalid_request");
    });
  }

  for (const [facts, fields, status, body] of refusals) {
    it(`${facts}: refuses a wrong ${Object.keys(fields).at(-1)} with ${status}`, async () => {
      const { provider, scope } = playedIn(facts);
      await using lab = await openProvider(provider);
      const response = await lab.redeem((await lab.callback({ scope })).code, fields);
      const { error, error_description, error_uri } = response.body;
      assertEquals([response.status, error_uri], [status, undefined]);
      if (body instanceof RegExp) assertMatch(`${error}: ${error_description}`, body);
      else assertEquals(response.body, body);
    });
  }

  const publicClients: Array<[facts: string, endpoints: string]> = [
    ["gitlab.public", "/oauth"],
    ["okta.public", "/oauth2/default/v1"],
  ];
  for (const [facts, endpoints] of publicClients) {
    it(`${facts}: Z4: takes Basic without a secret from a public client alone`, async () => {
      const { provider } = playedIn(facts);
      await using lab = await openProvider(provider, { clients: [webClient, publicClient] });
      const statusFor = async (id: string, name: string) => {
        const headers = { Authorization: `Basic ${btoa(id)}` };
        const init = { method: "POST", headers, body: new URLSearchParams({ token: "x" }) };
        return (await lab.fetch(`${host}${endpoints}/${name}`, init)).status;
      };
      for (const name of ["introspect", "revoke"]) {
        assertEquals([await statusFor("spa", name), await statusFor("web", name)], [200, 401]);
      }
      assertClean(lab);
      assertLeniency(lab, "dialect.clientRequests.basicForms: id-alone");
    });
  }
});
