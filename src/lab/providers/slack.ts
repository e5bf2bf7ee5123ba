import {
  adjustable,
  fact,
  hosts,
  optionalPkce,
  type ProviderPreset,
  rs256,
  uncertain,
  wire,
} from "./preset.ts";

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

/** An error of Slack has the status 200. */
const failed = (at: "token" | "userinfo", names: string[] | undefined, error: string) => ({
  ...{ at, status: 200, set: { ok: false, error } },
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
    access: ["https://hexdocs.pm/slack/0.9.0/Slack.Web.Oauth.html", "errors of oauth.access"],
  },
  facts: {
    "slack.paths": fact("metadata", "The methods of the API are endpoints.", {
      paths: {
        authorize: "/openid/connect/authorize",
        token: "/api/openid.connect.token",
        userinfo: "/api/openid.connect.userInfo",
        jwks: "/openid/connect/keys",
      },
      dialect: { hosts: hosts("slack.com") },
    }),
    "slack.metadata": wire("metadata", "OpenID Connect Discovery, and no other.", {
      ownMetadata: false,
      documents: [{ path: "/.well-known/openid-configuration", body: metadata }],
    }),
    "slack.scopes": fact("metadata", "The scopes are openid, profile and email.", {
      scopes: {
        openid: "Know who you are",
        profile: "See your name and picture",
        email: "See your e-mail address",
      },
      defaultScope: ["openid"],
    }),
    "slack.rs256": fact("metadata", "ID tokens are signed with RS256.", rs256),
    "slack.sub": wire("token", "Users have U and capital letters or digits as their sub.", {
      subjects: { form: "uppercase", length: 10, prefix: "U" },
    }),
    "slack.claims": fact("token, types", "Claims about Slack have the URL of Slack before them.", {
      idTokenClaims: "by-scope",
      dialect: {
        claims: [{
          in: ["id_token", "userinfo"],
          set: { "https://slack.com/user_id": "{user.sub}" },
        }],
        idToken: { unset: ["acr", "amr", "sid", "jti"] },
      },
    }),
    "slack.team": adjustable("token, types", "A claim names the workspace.", {
      dialect: {
        claims: [{
          in: ["id_token", "userinfo"],
          set: { "https://slack.com/team_id": "T012AB3C4D5" },
        }],
      },
    }),
    "slack.id_token_lifetime": uncertain("token", "ID tokens last for five minutes.", {
      lifetimes: { idToken: "5m" },
    }),
    "slack.json": wire("token", "A token request may be JSON, and name no grant type.", {
      clientRequests: { json: true, grantType: "authorization_code" },
    }),
    "slack.ok": wire("token, userinfo", "Responses have ok: true.", {
      tokenResponse: { set: { ok: true }, unset: refresh },
      userinfo: { set: { ok: true } },
    }),
    "slack.no_expiry": fact("metadata, token", "Access tokens do not expire, unless they rotate.", {
      lifetimes: { accessToken: "365d" },
      grantTypes: ["authorization_code"],
    }),
    "slack.opaque": fact("token", "Access tokens are opaque, and begin with xoxp-.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: { credentials: { accessToken: { prefix: "xoxp-", form: "hex", length: 64 } } },
    }),
    "slack.code": uncertain("token", "Codes are two numbers and 64 hexadecimal digits.", {
      dialect: {
        credentials: { code: { prefix: "4724469134.4644010092847.", form: "hex", length: 64 } },
      },
    }),
    "slack.pkce": uncertain("token", "PKCE is not mentioned, and not required.", optionalPkce),
    "slack.callback": uncertain("token", "The response is a 302 with code and state, no iss.", {
      redirectStatus: 302,
      dialect: { authorizationResponse: { unset: ["iss"] } },
    }),
    "slack.errors": wire("userinfo, types", "Errors have ok: false, and the status 200.", {
      errors: [
        failed("userinfo", ["token.sent"], "not_authed"),
        failed("userinfo", ["insufficient_scope"], "missing_scope"),
        failed("userinfo", undefined, "invalid_auth"),
      ],
    }),
    "slack.token_errors": uncertain("access", "The token method has the errors of oauth.access.", {
      dialect: {
        errors: [
          failed("token", ["invalid_client"], "bad_client_secret"),
          failed("token", ["code.redirect_uri", "code.redirect_uri_present"], "bad_redirect_uri"),
          failed("token", ["invalid_grant"], "invalid_code"),
          failed("token", undefined, "{error}"),
        ],
      },
    }),
  },
  stricter: ["Public clients need PKCE."],
  missing: [
    "Installations (oauth.v2.access), bots, Enterprise Grid, and the API beyond userInfo.",
    "Rotated tokens (xoxe), the parameter team, and request_uri.",
    "The error invalid_client_id: an unknown client has a bad_client_secret here.",
    "Pictures of users and workspaces, date_email_verified, and names of workspaces.",
  ],
};
