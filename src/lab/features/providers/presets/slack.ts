import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  fact,
  hosts,
  notPlayed,
  onlyMetadata,
  optionalPkce,
  pathsOf,
  plainRedirect,
  rs256,
  signInScopes,
  uncertain,
  wire,
} from "./preset_facts.ts";

const methods = "https://docs.slack.dev/reference/methods";
const refresh = ["expires_in", "scope", "refresh_token"];

/** The metadata, as it was published. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/openid/connect/authorize",
  token_endpoint: "{base}/api/openid.connect.token",
  userinfo_endpoint: "{base}/api/openid.connect.userInfo",
  jwks_uri: "{base}/openid/connect/keys",
  scopes_supported: ["openid", "profile", "email"],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  claims_supported: ["sub", "auth_time", "iss"],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: true,
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
};

const installations =
  "Installations (oauth.v2.access), bots, Enterprise Grid, and the API beyond userInfo.";

/** An error of Slack has the status 200. */
const failed = (at: "token" | "userinfo", names: string[] | undefined, error: string) => ({
  at,
  status: 200,
  set: { ok: false, error },
  ...names && { for: names },
});

/** Sign in with Slack, in one workspace. */
export const slack: ProviderPreset = {
  name: "slack",
  title: "Slack (Sign in with Slack)",
  sources: {
    metadata: ["https://api.slack.com/.well-known/openid-configuration", "stored copy, no date"],
    token: [`${methods}/openid.connect.token`, "stored copy, no date"],
    userinfo: [`${methods}/openid.connect.userInfo`, "stored copy, no date"],
    types: ["https://www.npmjs.com/package/@slack/web-api", "version 7.15.0"],
    install: ["https://docs.slack.dev/authentication/installing-with-oauth/", "no date"],
    legacy: ["https://api.slack.com/docs/oauth", "no date, of an outdated approach"],
    access: ["https://hexdocs.pm/slack/0.9.0/Slack.Web.Oauth.html", "errors of oauth.access"],
  },
  facts: {
    paths: fact("metadata", "The methods of the API are endpoints.", {
      paths: pathsOf(metadata),
      dialect: { hosts: hosts("slack.com") },
    }),
    metadata: onlyMetadata("metadata", metadata),
    scopes: fact("metadata", "The scopes are openid, profile and email.", {
      scopes: signInScopes,
      defaultScope: ["openid"],
    }),
    rs256: fact("metadata", "ID tokens are signed with RS256.", rs256),
    sub: wire("token", "Users have U and capital letters or digits as their sub.", {
      subjects: { form: "uppercase", length: 10, prefix: "U" },
    }),
    claims: fact("token, types", "Claims about Slack have the URL of Slack before them.", {
      idTokenClaims: "by-scope",
      dialect: {
        claims: [{
          in: ["id_token", "userinfo"],
          set: { "https://slack.com/user_id": "{user.sub}" },
        }],
        idToken: { unset: ["acr", "amr", "sid", "jti"] },
      },
    }),
    team: adjustable(wire("token, types", "A claim names the workspace.", {
      claims: [{
        in: ["id_token", "userinfo"],
        set: { "https://slack.com/team_id": "T012AB3C4D5" },
      }],
    })),
    id_token_lifetime: uncertain(fact("token", "ID tokens last for five minutes.", {
      lifetimes: { idToken: "5m" },
    })),
    json: wire("token", "A token request may be JSON, and name no grant type.", {
      clientRequests: { json: true, grantType: "authorization_code" },
    }),
    ok: wire("token, userinfo", "Responses have ok: true.", {
      tokenResponse: { set: { ok: true }, unset: refresh },
      userinfo: { set: { ok: true } },
    }),
    no_expiry: fact("metadata, token", "Access tokens do not expire, unless they rotate.", {
      lifetimes: { accessToken: "365d" },
      grantTypes: ["authorization_code"],
    }),
    opaque: fact("token", "Access tokens are opaque, and begin with xoxp-.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: { credentials: { accessToken: { prefix: "xoxp-", form: "hex", length: 64 } } },
    }),
    code: uncertain(wire("token", "Codes are two numbers and 64 hexadecimal digits.", {
      credentials: { code: { prefix: "4724469134.4644010092847.", form: "hex", length: 64 } },
    })),
    pkce: uncertain(fact("token", "PKCE is not mentioned, and not required.", optionalPkce)),
    callback: uncertain(fact("token", "The response is a 302 with code and state.", plainRedirect)),
    errors: wire("userinfo, types", "Errors have ok: false, and the status 200.", {
      errors: [
        failed("userinfo", ["token.sent"], "not_authed"),
        failed("userinfo", ["insufficient_scope"], "missing_scope"),
        failed("userinfo", undefined, "invalid_auth"),
      ],
    }),
    installations: wire(
      "install, legacy",
      "Apps are installed at other paths.",
      notPlayed(installations, "/oauth/v2/authorize /oauth/authorize /api/:method"),
    ),
    token_errors: uncertain(wire("access", "The token method has the errors of oauth.access.", {
      errors: [
        failed("token", ["invalid_client"], "bad_client_secret"),
        failed("token", ["code.redirect_uri", "code.redirect_uri_present"], "bad_redirect_uri"),
        failed("token", ["invalid_grant"], "invalid_code"),
        failed("token", undefined, "{error}"),
      ],
    })),
  },
  stricter: ["Public clients need PKCE."],
  missing: [
    installations,
    "Rotated tokens (xoxe), the parameter team, and request_uri.",
    "The error invalid_client_id: here, it is bad_client_secret.",
    "Pictures of users and workspaces, date_email_verified, and names of workspaces.",
  ],
};
