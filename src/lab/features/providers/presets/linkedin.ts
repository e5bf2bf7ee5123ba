import type { ProviderPreset } from "./preset.ts";
import {
  describedError,
  fact,
  hosts,
  noIssuer,
  notPlayed,
  optionalPkce,
  rs256,
  uncertain,
  userDeclined,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://learn.microsoft.com/en-us/linkedin";
const claims = words("sub name given_name family_name picture email email_verified locale");
const products =
  "Programmatic refresh tokens, the client_credentials grant, /v2/me, and other products.";
const mismatch =
  "Unable to retrieve access token: appid/redirect uri/code verifier does not match " +
  "authorization code. Or authorization code expired. Or external member binding exists";

/** The metadata, as it was published. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/oauth/v2/authorization",
  token_endpoint: "{base}/oauth/v2/accessToken",
  userinfo_endpoint: "{base}/v2/userinfo",
  jwks_uri: "{base}/oauth/openid/jwks",
  response_types_supported: ["code"],
  subject_types_supported: ["pairwise"],
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: ["openid", "profile", "email"],
  claims_supported: ["iss", "aud", "iat", "exp", ...claims],
};

/** LinkedIn, as Sign In with LinkedIn using OpenID Connect has it. */
export const linkedin: ProviderPreset = {
  name: "linkedin",
  title: "LinkedIn",
  sources: {
    metadata: [
      "https://www.linkedin.com/oauth/.well-known/openid-configuration",
      "copy of 2026-07-16",
    ],
    flow: [`${docs}/shared/authentication/authorization-code-flow`, "no date"],
    signin: [`${docs}/consumer/integrations/self-serve/sign-in-with-linkedin-v2`, "no date"],
    signin_v1: [`${docs}/consumer/integrations/self-serve/sign-in-with-linkedin`, "no date"],
    query: [
      "https://github.com/search?q=%22linkedin.com%2Foauth%2Fv2%2FaccessToken%3Fgrant_type%22&type=code",
      "2026-11-24, nine clients; @hono/oauth-providers 0.8.8",
    ],
    reports: [
      "https://github.com/search?q=%22appid%2Fredirect+uri%2Fcode+verifier%22&type=code",
      "eight reports",
    ],
  },
  facts: {
    issuer: wire("metadata", "The issuer ends with /oauth, and so does its host's path.", {
      issuerPath: "/oauth",
    }),
    paths: fact("metadata, flow", "Endpoints are below /oauth, userinfo is at /v2.", {
      paths: { authorize: "/v2/authorization", token: "/v2/accessToken", jwks: "/openid/jwks" },
      dialect: {
        aliases: [{ path: "/v2/userinfo", to: "userinfo" }],
        hosts: [...hosts("www.linkedin.com"), ...hosts("api.linkedin.com", "/v2/userinfo")],
      },
    }),
    metadata: wire("metadata", "OpenID Connect Discovery is below the issuer.", {
      ownMetadata: false,
      documents: [{ path: "/oauth/.well-known/openid-configuration", body: metadata }],
    }),
    scopes: fact("signin", "openid, profile and email; others are products.", {
      scopes: {
        openid: "Use your name and photo",
        profile: "Use your name and photo",
        email: "Use the primary e-mail address of your account",
        w_member_social: "Create, modify and delete posts for you",
      },
    }),
    rs256: fact("metadata", "ID tokens are signed with RS256.", rs256),
    pairwise: fact("metadata", "sub differs between applications.", {
      clientDefaults: { subjectType: "pairwise" },
    }),
    claims: fact("metadata, signin", "The ID token and userinfo have these claims.", {
      idTokenClaims: "by-scope",
      dialect: {
        idToken: { keep: ["iss", "aud", "iat", "exp", "nonce", ...claims] },
        userinfo: { keep: claims },
      },
    }),
    opaque: fact("flow", "Access tokens are opaque, long, and last for 60 days.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      lifetimes: { accessToken: "60d" },
      dialect: { credentials: { accessToken: { prefix: "AQ", length: 498 } } },
    }),
    no_refresh: fact("flow", "Only a few partners get refresh tokens.", {
      grantTypes: ["authorization_code"],
      dialect: { tokenResponse: { unset: ["refresh_token"] } },
    }),
    code: fact("flow", "Codes are long, and begin with AQ.", {
      lifetimes: { code: "10m" },
      dialect: { credentials: { code: { prefix: "AQ", length: 190 } } },
    }),
    pkce: uncertain(fact("flow", "PKCE is not mentioned, and not required.", optionalPkce)),
    callback: wire("flow", "The response has code and state, no iss.", noIssuer),
    redirect: uncertain(fact("flow", "Redirects have the status 302.", { redirectStatus: 302 })),
    query: uncertain(wire("query", "The form of a token request may be in its query.", {
      clientRequests: { queryForm: true },
    })),
    products: wire(
      "signin_v1",
      "Other products have their APIs at /v2 and /rest.",
      notPlayed(products, "/v2/:product /rest/:product"),
    ),
    cancelled: wire("flow", "A refusal of the user is user_cancelled_authorize.", {
      errors: [userDeclined("user_cancelled_authorize", "The user cancelled the authorization")],
    }),
    not_found: wire("flow", "An unknown code is an invalid_request with 401.", {
      errors: [
        describedError(
          "code.known",
          "invalid_request",
          "Unable to retrieve access token: authorization code not found",
          401,
        ),
      ],
    }),
    mismatch: wire("flow", "Another mistake with a code is invalid_redirect_uri.", {
      errors: [describedError("invalid_grant", "invalid_redirect_uri", mismatch, 400)],
    }),
    client: uncertain(wire("reports", "A wrong secret is invalid_client with 401.", {
      errors: [
        describedError("invalid_client", "invalid_client", "Client authentication failed", 401),
      ],
    })),
  },
  stricter: [
    "Codes last for ten minutes, not for thirty, and public clients need PKCE.",
    "A redirect URI is compared as it is; LinkedIn ignores its query.",
  ],
  missing: [
    "iss of ID tokens without /oauth.",
    "The form of sub: eight letters and digits.",
    products,
    "Tokens that end when another scope is granted, and 401 for each mistake of a request.",
  ],
};
