import { fact, hosts, type ProviderPreset, tokenError, uncertain } from "./preset.ts";

const docs = "https://developers.google.com/identity";
const api = "https://www.googleapis.com/auth";
const profile = ["sub", "name", "given_name", "family_name", "picture", "email", "email_verified"];
const refresh = ["refresh_token_timeout", "authorization_expires_in"];

/** The metadata, as it was published. Types of responses beyond code are not played. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/o/oauth2/v2/auth",
  device_authorization_endpoint: "{base}/device/code",
  token_endpoint: "{base}/token",
  userinfo_endpoint: "{base}/v1/userinfo",
  revocation_endpoint: "{base}/revoke",
  jwks_uri: "{base}/oauth2/v3/certs",
  response_types_supported: [
    ...["code", "token", "id_token", "code token", "code id_token", "token id_token"],
    ...["code token id_token", "none"],
  ],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: ["openid", "email", "profile"],
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  claims_supported: [
    ...["aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss"],
    ...["name", "picture", "sub"],
  ],
  code_challenge_methods_supported: ["plain", "S256"],
  grant_types_supported: [
    ...["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
  ],
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
    clients: ["https://github.com/search?q=%22Bad+Request%22+invalid_grant&type=code", "reports"],
  },
  facts: {
    "google.paths": fact("metadata", "Endpoints have the paths that they have on several hosts.", {
      paths: {
        authorize: "/o/oauth2/v2/auth",
        token: "/token",
        revoke: "/revoke",
        userinfo: "/v1/userinfo",
        jwks: "/oauth2/v3/certs",
        deviceAuthorization: "/device/code",
      },
      dialect: { aliases: [{ path: "/oauth2/v3/userinfo", to: "userinfo" }] },
    }),
    "google.hosts": fact("metadata", "Endpoints are at four hosts.", {
      dialect: {
        hosts: [
          ...hosts("accounts.google.com"),
          ...hosts("oauth2.googleapis.com", "/token /revoke /device/code"),
          ...hosts("openidconnect.googleapis.com", "/v1/userinfo"),
          ...hosts("www.googleapis.com", "/oauth2/v3/certs"),
        ],
      },
    }),
    "google.metadata": fact("metadata, reference", "OpenID Connect Discovery, and no other.", {
      dialect: {
        ownMetadata: false,
        documents: [{ path: "/.well-known/openid-configuration", body: metadata }],
      },
    }),
    "google.scopes": fact("metadata, web", "The scopes of APIs are URLs; none is offline_access.", {
      scopes: {
        openid: "Know who you are",
        email: "See your e-mail address",
        profile: "See your personal info",
        [`${api}/calendar.readonly`]: "See your calendars",
        [`${api}/drive.file`]: "See and edit files that you use with this app",
        [`${api}/gmail.readonly`]: "See your e-mail messages",
      },
      defaultScope: ["openid"],
    }),
    "google.rs256": fact("metadata", "Everything is signed with RS256.", {
      idTokenAlgs: ["RS256"],
    }),
    "google.sub": fact("reference", "sub is a text of digits, the same for every client.", {
      dialect: { subjects: { form: "digits", length: 21 } },
    }),
    "google.id_token": fact("reference", "Profile and e-mail are in the ID token, by scope.", {
      idTokenClaims: "by-scope",
      dialect: {
        idToken: {
          keep: ["iss", "aud", "iat", "exp", "at_hash", "nonce", "hd", ...profile],
          set: { azp: "{token.aud}" },
        },
      },
    }),
    "google.hd": fact("reference", "hd names the domain of a user of Workspace alone.", {
      dialect: { claims: [{ in: ["id_token", "userinfo"], set: { hd: "{user.hd}" } }] },
    }),
    "google.userinfo": fact("reference", "Userinfo has the claims of an ID token.", {
      dialect: { userinfo: { keep: ["hd", ...profile] } },
    }),
    "google.userinfo_v2": uncertain("api", "An older userinfo has id and verified_email.", {
      dialect: {
        userApis: ["/oauth2/v2/userinfo", "/oauth2/v1/userinfo"].map((path) => ({
          path,
          body: {
            id: "{user.sub}",
            email: "{user.email}",
            verified_email: "{user.email_verified|false}",
            name: "{user.name}",
            given_name: "{user.given_name}",
            family_name: "{user.family_name}",
            picture: "{user.picture}",
            hd: "{user.hd}",
          },
        })),
      },
    }),
    "google.opaque": fact("web", "Access tokens are opaque, and last for an hour.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: {
        credentials: {
          code: { prefix: "4/0", length: 70 },
          accessToken: { prefix: "ya29.", length: 160 },
          refreshToken: { prefix: "1//0", length: 96 },
        },
      },
    }),
    "google.offline": fact("web", "A refresh token needs access_type=offline, and comes once.", {
      dialect: { refreshTokens: { parameter: "access_type=offline", again: "prompt=consent" } },
    }),
    "google.refresh": fact("web", "A refresh returns no new refresh token.", {
      refreshTokens: "keep",
      dialect: { tokenResponse: { unset: refresh } },
    }),
    "google.granular": fact("granular", "Users tick each scope of an API if there are several.", {
      clientDefaults: { partialConsent: true },
      dialect: { unrefusableScopes: ["openid", "email", "profile"] },
    }),
    "google.pkce": fact("web", "PKCE is not required of clients with a secret.", {
      clientDefaults: { pkce: "optional" },
      unknownClientPkce: "optional",
    }),
    "google.callback": uncertain("web", "The response has scope, authuser and prompt.", {
      redirectStatus: 302,
      dialect: {
        authorizationResponse: { set: { scope: "{scope}", authuser: "0", prompt: "consent" } },
      },
    }),
    "google.errors": uncertain("clients", "A rejected code or refresh token is a 'Bad Request'.", {
      errorUri: false,
      dialect: {
        errors: [
          tokenError("invalid_grant", { error: "invalid_grant", error_description: "Bad Request" }),
          tokenError("invalid_client", {
            error: "invalid_client",
            error_description: "Unauthorized",
          }, 401),
        ],
      },
    }),
  },
  stricter: [
    "Userinfo needs the scope openid; Google takes a token with email or profile, too.",
    "The PKCE method plain is refused, although the metadata lists it.",
    "Public clients need PKCE, and their refresh tokens rotate.",
  ],
  missing: [
    "Response types beyond code, service accounts, tokeninfo, and the certificates at /oauth2/v1/certs.",
    "Revocation by a token alone, in the query: here, clients authenticate and send a form.",
    "Scopes that come back as URLs: the token response names email as it was requested.",
    "Boxes that are empty at first: here, users begin with all of them ticked.",
    "Cross-account protection, incremental authorization, and APIs that are not about the user.",
  ],
};
