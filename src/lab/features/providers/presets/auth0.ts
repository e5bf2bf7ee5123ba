import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  fact,
  noIssuer,
  optionalPkce,
  uncertain,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://auth0.com/docs";
const support = "https://support.auth0.com/center/s/article";

/** The metadata of a tenant. Types of responses beyond code are not played. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/authorize",
  token_endpoint: "{base}/oauth/token",
  device_authorization_endpoint: "{base}/oauth/device/code",
  userinfo_endpoint: "{base}/userinfo",
  mfa_challenge_endpoint: "{base}/mfa/challenge",
  jwks_uri: "{base}/.well-known/jwks.json",
  registration_endpoint: "{base}/oidc/register",
  revocation_endpoint: "{base}/oauth/revoke",
  scopes_supported: words(
    "openid profile offline_access name given_name family_name nickname email email_verified picture " +
      "created_at identities phone address",
  ),
  response_types_supported: [
    ...["code", "token", "id_token", "code token", "code id_token", "token id_token"],
    "code token id_token",
  ],
  code_challenge_methods_supported: ["S256", "plain"],
  response_modes_supported: words("query fragment form_post"),
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["HS256", "RS256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  claims_supported: words(
    "aud auth_time created_at email email_verified exp family_name given_name iat identities iss " +
      "name nickname phone_number picture sub",
  ),
  request_uri_parameter_supported: false,
  request_parameter_supported: false,
  end_session_endpoint: "{base}/oidc/logout",
};

/** Auth0, with one tenant and its own domain. */
export const auth0: ProviderPreset = {
  name: "auth0",
  title: "Auth0",
  sources: {
    metadata: [
      "https://common.auth0.com/.well-known/openid-configuration",
      "copy in the tests of firezone, without a date",
    ],
    access: [`${docs}/secure/tokens/access-tokens`, "auth0/docs-v2 1a4096e"],
    profiles: [`${docs}/secure/tokens/access-tokens/access-token-profiles`, "no date"],
    id: [`${docs}/secure/tokens/id-tokens/id-token-structure`, "auth0/docs-v2 0cb5a09"],
    refresh: [`${docs}/secure/tokens/refresh-tokens`, "no date"],
    older: [`${docs}/api/authentication/logout/auth-0-logout`, "no date"],
    logout: [`${docs}/api/authentication/logout/oidc-logout`, "no date"],
    passport: ["https://www.npmjs.com/package/passport-auth0", "version 1.4.5"],
    discovery: [`${support}/how-to-enable-the-oidc-logout-url-in-discovery-endpoint`, "2025-09-10"],
  },
  facts: {
    issuer: wire("metadata, access", "The issuer ends with a slash.", { issuerPath: "/" }),
    paths: fact("metadata", "Endpoints are below /oauth, apart from the older ones.", {
      paths: {
        authorize: "/authorize",
        token: "/oauth/token",
        deviceAuthorization: "/oauth/device/code",
        userinfo: "/userinfo",
        jwks: "/.well-known/jwks.json",
        revoke: "/oauth/revoke",
      },
    }),
    logout: fact("logout", "Users sign out at /oidc/logout.", {
      paths: { logout: "/oidc/logout" },
    }),
    older_logout: fact("older", "Users sign out at /v2/logout with returnTo, too.", {
      logoutConfirmation: "skip",
      dialect: {
        aliases: [{ path: "/v2/logout", to: "logout" }],
        logout: { redirectParameter: "returnTo" },
      },
    }),
    metadata: wire("metadata", "OpenID Connect Discovery has what a tenant publishes.", {
      documents: [{ path: "/.well-known/openid-configuration", body: metadata }],
    }),
    end_session: wire("discovery", "Tenants since 2023-11-14 publish /oidc/logout.", {}),
    subject: wire("access", "Users of a database have auth0| and an id as their sub.", {
      subjects: { form: "hex", length: 24, prefix: "auth0|" },
    }),
    audience: adjustable(fact(
      "access",
      "Access tokens are opaque, for userinfo alone, unless audience names an API.",
      { audienceParameter: true, clientDefaults: { accessTokenFormat: "jwt-for-resource" } },
    )),
    access_token: wire("access, profiles", "A JWT has azp, and aud names userinfo, too.", {
      userinfoAudience: "{base}/userinfo",
      accessToken: {
        keep: ["iss", "sub", "exp", "iat", "scope"],
        set: { aud: "{token.aud}", azp: "{token.client_id}" },
      },
    }),
    typ: uncertain(wire("profiles", "The default profile has the typ JWT.", {
      accessToken: { header: { set: { typ: "JWT" } } },
    })),
    id_token: fact("id", "ID tokens have the claims of their scopes.", {
      idTokenAlgs: ["RS256"],
      idTokenClaims: "by-scope",
    }),
    lifetime: adjustable(fact("access", "Access tokens last for a day.", {
      lifetimes: { accessToken: "1d" },
    })),
    query: wire("passport", "Userinfo takes an access token in its query.", {
      clientRequests: { queryToken: true },
    }),
    offline_access: wire("refresh", "A refresh token needs the scope offline_access.", {
      refreshTokens: { scope: "offline_access" },
    }),
    rotation: adjustable(fact("refresh", "A refresh token stays the same unless it rotates.", {
      refreshTokens: "keep",
    })),
    pkce: uncertain(fact("metadata", "PKCE is not required of clients with a secret.", {
      ...optionalPkce,
      redirectStatus: 302,
    })),
    response: uncertain(wire("metadata", "Authorization responses have no iss.", noIssuer)),
  },
  stricter: [
    "Public clients need PKCE, and their refresh tokens rotate.",
    "The PKCE method plain is refused, and ID tokens are never signed with HS256.",
  ],
  missing: [
    "The question at /oidc/logout, and federated logout.",
    "returnTo without client_id, and the first allowed URL for a logout without returnTo.",
    "The default audience of a tenant: set defaultResource and accessTokenFormat.",
    "The other profiles of access tokens, and permissions.",
    "Namespaced claims of actions.",
    "offline_access in the scope of a response: here, it is there with prompt=consent alone.",
    "Response types beyond code, MFA, the management API, and connections.",
  ],
};
