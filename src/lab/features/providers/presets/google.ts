import type { ProviderPreset } from "./preset.ts";
import {
  aliases,
  claimsOfUser,
  describedError,
  deviceGrantAs,
  fact,
  hosts,
  onlyMetadata,
  optionalPkce,
  parts,
  pathsOf,
  rs256,
  signInScopes,
  uncertain,
  userApis,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://developers.google.com/identity";
const api = "https://www.googleapis.com/auth";
const profile = ["sub", "name", "given_name", "family_name", "picture", "email", "email_verified"];

const unknownToken = { error: "invalid_token", error_description: "Token expired or revoked" };
const oldUser = {
  id: "{user.sub}",
  verified_email: "{user.email_verified|false}",
  ...claimsOfUser("email name given_name family_name picture hd"),
};

/** The metadata, as it was published. Types of responses beyond code are not played. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/o/oauth2/v2/auth",
  device_authorization_endpoint: "{base}/device/code",
  token_endpoint: "{base}/token",
  userinfo_endpoint: "{base}/v1/userinfo",
  revocation_endpoint: "{base}/revoke",
  jwks_uri: "{base}/oauth2/v3/certs",
  response_types_supported: parts(
    "code, token, id_token, code token, code id_token, token id_token, code token id_token, none",
  ),
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: ["openid", "email", "profile"],
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  claims_supported: words(
    "aud email email_verified exp family_name given_name iat iss name picture sub",
  ),
  code_challenge_methods_supported: ["plain", "S256"],
  grant_types_supported: words(
    "authorization_code refresh_token urn:ietf:params:oauth:grant-type:device_code " +
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
  ),
  authorization_response_iss_parameter_supported: true,
};

/** Google, as web applications see it. */
export const google: ProviderPreset = {
  name: "google",
  title: "Google",
  sources: {
    metadata: ["https://accounts.google.com/.well-known/openid-configuration", "2024-10-01"],
    reference: [`${docs}/openid-connect/reference`, "no date"],
    web: [`${docs}/protocols/oauth2/web-server`, "no date"],
    granular: [`${docs}/protocols/oauth2/resources/granular-permissions`, "no date"],
    api: ["https://www.googleapis.com/discovery/v1/apis/oauth2/v2/rest", "no date"],
    libraries: ["https://github.com/golang/oauth2", "0.30.0; Spring Security 6.4.2; Node's 11.3.4"],
    devices: [`${docs}/protocols/oauth2/limited-input-device`, "no date"],
    grants: [
      "https://github.com/search?q=%22oauth.net%2Fgrant_type%2Fdevice%22&type=code",
      "clients",
    ],
    json: [
      "https://github.com/search?q=%22axios.post%28%5C%22https%3A%2F%2Foauth2.googleapis.com%22&type=code",
      "2026-11-24, seven clients; @hono/oauth-providers 0.8.8",
    ],
    scopes: ["https://developers.google.com/identity/protocols/oauth2/scopes", "no date"],
    passport: ["https://www.npmjs.com/package/passport-google-oauth20", "version 2.0.0"],
    clients: ["https://github.com/search?q=%22Bad+Request%22+invalid_grant&type=code", "reports"],
  },
  facts: {
    paths: fact("metadata", "Endpoints have the paths that they have on several hosts.", {
      paths: pathsOf(metadata),
      dialect: { aliases: [{ path: "/oauth2/v3/userinfo", to: "userinfo" }] },
    }),
    hosts: wire("metadata", "Endpoints are at four hosts.", {
      hosts: [
        ...hosts("accounts.google.com"),
        ...hosts("oauth2.googleapis.com", "/token /revoke /device/code"),
        ...hosts("openidconnect.googleapis.com", "/v1/userinfo"),
        ...hosts("www.googleapis.com", "/oauth2/v3/certs /oauth2/v2/userinfo /oauth2/v1/userinfo"),
      ],
    }),
    libraries: wire("libraries", "Libraries know older paths, and keys in certificates.", {
      aliases: [
        ...aliases("authorize", "/o/oauth2/auth"),
        ...aliases("token", "/o/oauth2/token /oauth2/v4/token"),
      ],
      certificates: "/oauth2/v1/certs",
    }),
    metadata: onlyMetadata("metadata, reference", metadata),
    scopes: fact("metadata, web", "The scopes of APIs are URLs; none is offline_access.", {
      scopes: {
        ...signInScopes,
        [`${api}/calendar.readonly`]: "See your calendars",
        [`${api}/drive.file`]: "See and edit files that you use with this app",
        [`${api}/gmail.readonly`]: "See your e-mail messages",
      },
      defaultScope: ["openid"],
    }),
    identity: wire("web, scopes", "The scopes email and profile have URLs, and imply openid.", {
      clientRequests: {
        scopeSynonyms: {
          email: "openid email",
          profile: "openid profile",
          [`${api}/userinfo.email`]: "openid email",
          [`${api}/userinfo.profile`]: "openid profile",
        },
      },
    }),
    query: wire("web, passport", "An access token may be in the query of a request.", {
      clientRequests: { queryToken: true },
    }),
    revoke: wire("web", "A token is enough to revoke itself, and all others of its grant.", {
      tokenApis: [{
        path: "/revoke",
        parameter: "token",
        revokes: true,
        body: {},
        unknown: { status: 400, body: unknownToken },
      }],
    }),
    json: uncertain(wire("json", "A token request may be JSON, with names in two forms.", {
      clientRequests: { json: true, camelCase: true },
    })),
    device: wire(
      "devices, grants",
      "A device gets a verification_url, and may use an older grant.",
      {
        ...deviceGrantAs("http://oauth.net/grant_type/device/1.0", { code: "device_code" }),
        deviceResponse: {
          set: { verification_url: "{device.verification_uri}" },
          unset: ["verification_uri", "verification_uri_complete"],
        },
      },
    ),
    rs256: fact("metadata", "Everything is signed with RS256.", rs256),
    sub: wire("reference", "sub is a text of digits, the same for every client.", {
      subjects: { form: "digits", length: 21 },
    }),
    id_token: fact("reference", "Profile and e-mail are in the ID token, by scope.", {
      idTokenClaims: "by-scope",
      dialect: {
        idToken: {
          keep: ["iss", "aud", "iat", "exp", "at_hash", "nonce", "hd", ...profile],
          set: { azp: "{token.aud}" },
        },
      },
    }),
    hd: wire("reference", "hd names the domain of a user of Workspace alone.", {
      claims: [{ in: ["id_token", "userinfo"], set: { hd: "{user.hd}" } }],
    }),
    userinfo: wire("reference", "Userinfo has the claims of an ID token.", {
      userinfo: { keep: ["hd", ...profile] },
    }),
    userinfo_v2: uncertain(wire("api", "An older userinfo has id and verified_email.", {
      userApis: userApis("/oauth2/v2/userinfo /oauth2/v1/userinfo", { body: oldUser }),
    })),
    opaque: fact("web", "Access tokens are opaque, and last for an hour.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: {
        credentials: {
          code: { prefix: "4/0", length: 70 },
          accessToken: { prefix: "ya29.", length: 160 },
          refreshToken: { prefix: "1//0", length: 96 },
        },
      },
    }),
    offline: wire("web", "A refresh token needs access_type=offline, and comes once.", {
      refreshTokens: { parameter: "access_type=offline", again: "prompt=consent" },
    }),
    refresh: fact("web", "A refresh returns no new refresh token.", { refreshTokens: "keep" }),
    granular: fact("granular", "Users tick each scope of an API if there are several.", {
      clientDefaults: { partialConsent: true },
      dialect: { unrefusableScopes: ["openid", "email", "profile"] },
    }),
    pkce: fact("web", "PKCE is not required of clients with a secret.", optionalPkce),
    redirect: uncertain(fact("web", "Redirects have the status 302.", { redirectStatus: 302 })),
    callback: uncertain(wire("web", "The response has scope, authuser and prompt.", {
      authorizationResponse: { set: { scope: "{scope}", authuser: "0", prompt: "consent" } },
    })),
    errors: uncertain(wire("clients", "A rejected code or refresh token is a 'Bad Request'.", {
      errors: [
        describedError("invalid_grant", "invalid_grant", "Bad Request"),
        describedError("invalid_client", "invalid_client", "Unauthorized", 401),
      ],
    })),
  },
  stricter: [
    "The PKCE method plain is refused, although the metadata lists it.",
    "Public clients need PKCE, and their refresh tokens rotate.",
  ],
  missing: [
    "Response types beyond code, service accounts, and tokeninfo.",
    "ID tokens of older clients, whose iss is accounts.google.com without https.",
    "Scopes that come back as URLs.",
    "Boxes that are empty at first: here, all are ticked.",
    "Cross-account protection, incremental authorization, and APIs that are not about the user.",
  ],
};
