import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  fact,
  optionalPkce,
  plainRedirect,
  uncertain,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://docs.aws.amazon.com/cognito/latest/developerguide";
const guide = "awsdocs/amazon-cognito-developer-guide 0b4d546";
const noType = { header: { unset: ["typ"] } };

/** The metadata of a user pool with a domain. Types of responses beyond code are not played. */
const metadata = {
  authorization_endpoint: "{front}/oauth2/authorize",
  id_token_signing_alg_values_supported: ["RS256"],
  issuer: "{issuer}",
  jwks_uri: "{issuer}/.well-known/jwks.json",
  response_types_supported: ["code", "token", "token id_token"],
  scopes_supported: words("openid email phone profile"),
  subject_types_supported: ["public"],
  token_endpoint: "{back}/oauth2/token",
  token_endpoint_auth_methods_supported: words("client_secret_basic client_secret_post"),
  userinfo_endpoint: "{back}/oauth2/userInfo",
};
const ids = { jti: "{uuid:token.jti}", origin_jti: "{uuid:token.origin}" };
const groups = { "cognito:groups": "{user.cognito:groups}" };

/** Amazon Cognito: a user pool, and its domain. */
export const cognito: ProviderPreset = {
  name: "cognito",
  title: "Amazon Cognito (user pools)",
  sources: {
    login: ["https://github.com/alerta/alerta", "a login of 2019-06-20 in its tests"],
    access: [`${docs}/amazon-cognito-user-pools-using-the-access-token.html`, guide],
    id: [`${docs}/amazon-cognito-user-pools-using-the-id-token.html`, guide],
    token: [`${docs}/token-endpoint.html`, guide],
    authorize: [`${docs}/authorization-endpoint.html`, "083e60c of the same guide"],
    page: [`${docs}/login-endpoint.html`, "no date"],
    logout: [`${docs}/logout-endpoint.html`, "no date"],
  },
  facts: {
    issuer: wire("access, login", "The issuer is the id of a user pool, with a region.", {
      issuerPath: "/:country-:region-:number_:pool",
      tenant: "us-east-1_Hallpass1",
    }),
    domain: wire("login, logout", "The endpoints are at the domain, on another host.", {
      aliases: [
        { path: "/oauth2/authorize", to: "authorize" },
        { path: "/oauth2/token", to: "token" },
        { path: "/oauth2/userInfo", to: "userinfo" },
        { path: "/oauth2/revoke", to: "revoke" },
        { path: "/logout", to: "logout" },
        { path: "/:pool/.well-known/jwks.json", to: "jwks" },
      ],
    }),
    page: wire("page", "The page /login takes the parameters of the authorization endpoint.", {
      aliases: [{ path: "/login", to: "authorize" }],
    }),
    metadata: wire("login", "OpenID Connect Discovery, below the issuer.", {
      ownMetadata: false,
      documents: [{ path: "/{tenant}/.well-known/openid-configuration", body: metadata }],
    }),
    scopes: fact("authorize", "Scopes of a server begin with its name and a slash.", {
      scopes: {
        openid: "Sign you in",
        email: "See your e-mail address",
        phone: "See your phone number",
        profile: "See your profile",
        "aws.cognito.signin.user.admin": "See and change your attributes",
      },
    }),
    ignored: wire("authorize, token", "Scopes that a client lacks are ignored.", {
      unknownScopes: "ignore",
    }),
    keys: fact("access", "ID tokens and access tokens have different keys, and no typ.", {
      idTokenAlgs: ["RS256"],
      dialect: { idTokenKey: "own", idToken: noType, accessToken: noType },
    }),
    uuid: wire("access", "Users have UUIDs.", { subjects: { form: "uuid" } }),
    access_token: wire("access, login", "Access tokens have client_id, and no aud.", {
      claims: [{ in: ["access_token"], set: { username: "{username}", ...groups } }],
      accessToken: { unset: ["aud", "acr"], set: { token_use: "access", version: 2, ...ids } },
    }),
    id_token: fact("id, login", "ID tokens have cognito:username and token_use.", {
      idTokenClaims: "by-scope",
      dialect: {
        claims: [{ in: ["id_token"], set: { "cognito:username": "{username}", ...groups } }],
        idToken: { unset: ["acr", "amr", "sid"], set: { token_use: "id", ...ids } },
      },
    }),
    userinfo: wire("login", "In userinfo, email_verified is a text.", {
      claims: [
        { in: ["userinfo"], set: { username: "{username}" } },
        { in: ["userinfo"], scope: "email", set: { email_verified: "{text:user.email_verified}" } },
      ],
    }),
    lifetime: adjustable(fact("access", "Access tokens last for an hour.", {
      lifetimes: { accessToken: "1h" },
    })),
    refresh: adjustable(fact("token", "A refresh returns no refresh token by default.", {
      refreshTokens: "keep",
    })),
    response: wire("login, token", "Token responses have no scope.", {
      tokenResponse: { unset: ["scope"] },
    }),
    errors: wire("token", "Errors of the token endpoint are 400, without description.", {
      errors: [{ at: "token", status: 400, set: { error: "{error}" } }],
    }),
    redirect: fact("authorize", "Redirects are 302, without iss. PKCE is optional.", {
      ...optionalPkce,
      ...plainRedirect,
    }),
    logout: uncertain(fact("logout", "Users sign out with client_id and logout_uri.", {
      logoutConfirmation: "skip",
      dialect: { logout: { redirectParameter: "logout_uri" } },
    })),
  },
  stricter: [
    "Public clients need PKCE, and their refresh tokens rotate.",
    "A request is refused that has no scope of its client, and one without a scope.",
  ],
  missing: [
    "Tokens in a fragment, SAML, other providers, triggers, and the API of user pools, which @aws-amplify/auth and cognito-passport-oauth2 use.",
    "redirect_uri at /logout, and resource binding, which adds aud.",
    "Refresh tokens that are encrypted JWTs, and event_id, device_key and custom attributes.",
    "end_session_endpoint and revocation_endpoint in the metadata.",
  ],
};
