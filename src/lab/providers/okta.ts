import {
  adjustable,
  fact,
  optionalPkce,
  type ProviderPreset,
  rs256,
  uncertain,
  wire,
} from "./preset.ts";

const noType = { header: { unset: ["typ"] } };

/** Okta, with a custom authorization server. */
export const okta: ProviderPreset = {
  name: "okta",
  title: "Okta (custom authorization server)",
  sources: {
    overview: [
      "https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/",
      "okta-developer-docs, stored copy without a date",
    ],
    oidc: ["https://developer.okta.com/docs/reference/api/oidc/", "okta-developer-docs 424da68"],
  },
  facts: {
    "okta.issuer": wire("overview", "The issuer is the id of a server, below /oauth2.", {
      issuerPath: "/oauth2/:server",
      tenant: "default",
    }),
    "okta.paths": fact("oidc", "The endpoints are below /v1.", {
      paths: {
        authorize: "/v1/authorize",
        token: "/v1/token",
        jwks: "/v1/keys",
        userinfo: "/v1/userinfo",
        logout: "/v1/logout",
        introspect: "/v1/introspect",
        revoke: "/v1/revoke",
        deviceAuthorization: "/v1/device/authorize",
      },
    }),
    "okta.rs256": fact("overview", "Everything is signed with RS256.", rs256),
    "okta.no_typ": wire("overview", "JWTs have alg and kid in their header, and no typ.", {
      idToken: noType,
      accessToken: noType,
    }),
    "okta.user_id": wire("overview", "Ids of users begin with 00u.", {
      subjects: { form: "alphanumeric", length: 17, prefix: "00u" },
    }),
    "okta.access_token": wire("overview", "Access tokens have cid, uid, ver and a list in scp.", {
      claims: [{ in: ["access_token"], set: { uid: "{user.sub}", scp: "{scopes}" } }],
      accessToken: {
        keep: ["iss", "aud", "sub", "iat", "exp", "auth_time", "uid", "scp"],
        set: { ver: 1, cid: "{token.client_id}", jti: "AT.{token.jti}" },
      },
    }),
    "okta.audience": adjustable("oidc", "The audience is that of the server: api://default.", {
      defaultResource: "api://default",
      dialect: { accessToken: { set: { aud: "api://default" } } },
    }),
    "okta.id_token": fact(
      "overview",
      "ID tokens have ver and idp, and the claims of their scopes.",
      {
        idTokenClaims: "by-scope",
        dialect: {
          idToken: {
            unset: ["acr", "sid"],
            set: { ver: 1, idp: "00o{hex:issuer}", jti: "ID.{token.jti}" },
          },
        },
      },
    ),
    "okta.offline_access": wire("oidc", "A refresh token needs the scope offline_access.", {
      refreshTokens: { scope: "offline_access" },
    }),
    "okta.lifetime": adjustable("overview", "Tokens last for an hour; an access policy decides.", {
      lifetimes: { accessToken: "1h" },
    }),
    "okta.pkce": uncertain("oidc", "PKCE is required of public clients alone.", optionalPkce),
    "okta.302": uncertain("oidc", "Redirects have the status 302.", { redirectStatus: 302 }),
  },
  stricter: ["A scope that an API does not know is refused, and iss is in every response."],
  missing: [
    "The org authorization server, response types beyond code, and okta_post_message.",
    "sub of access tokens: here it is the id of the user, at Okta a claim that you may change.",
    "offline_access in the scope of a response: here, it is there with prompt=consent alone.",
    "Errors of the management API, session tokens, and access policies.",
    "The list scp of a client without a user, and the metadata: it is that of the lab.",
  ],
};
