import { adjustable, fact, type ProviderPreset, uncertain, wire } from "./preset.ts";

const connect = "/protocol/openid-connect";

/** Keycloak, with one realm. */
export const keycloak: ProviderPreset = {
  name: "keycloak",
  title: "Keycloak",
  sources: {
    layers: ["https://www.keycloak.org/securing-apps/oidc-layers", "26.7, as quoted by others"],
    tokens: [
      "https://github.com/search?q=realm_access+%22typ%22+%22Bearer%22&type=code",
      "ten samples",
    ],
  },
  facts: {
    "keycloak.issuer": wire("layers", "The issuer is a realm, without /auth before it.", {
      issuerPath: "/realms/:realm",
      tenant: "master",
    }),
    "keycloak.paths": fact("layers", "The endpoints are below /protocol/openid-connect.", {
      paths: {
        authorize: `${connect}/auth`,
        token: `${connect}/token`,
        userinfo: `${connect}/userinfo`,
        logout: `${connect}/logout`,
        jwks: `${connect}/certs`,
        introspect: `${connect}/token/introspect`,
        revoke: `${connect}/revoke`,
        deviceAuthorization: `${connect}/auth/device`,
      },
    }),
    "keycloak.uuid": wire("tokens", "Users have UUIDs.", { subjects: { form: "uuid" } }),
    "keycloak.access_token": wire("tokens", "Access tokens say typ Bearer, azp and the roles.", {
      claims: [{ in: ["access_token"], set: { realm_access: { roles: "{user.roles|[]}" } } }, {
        in: ["access_token"],
        scope: "profile",
        set: { name: "{user.name}", preferred_username: "{user.preferred_username}" },
      }, {
        in: ["access_token"],
        scope: "email",
        set: { email: "{user.email}", email_verified: "{user.email_verified|false}" },
      }],
      accessToken: {
        header: { set: { typ: "JWT" } },
        unset: ["client_id"],
        set: { typ: "Bearer", azp: "{token.client_id}", acr: "1" },
      },
    }),
    "keycloak.audience": adjustable(
      "tokens",
      "The audience is account, unless a mapper adds one.",
      { dialect: { accessToken: { set: { aud: "account" } } } },
    ),
    "keycloak.id_token": fact("tokens", "ID tokens say typ ID and azp.", {
      idTokenClaims: "by-scope",
      dialect: { idToken: { set: { typ: "ID", azp: "{token.aud}", acr: "1" } } },
    }),
    "keycloak.lifetime": adjustable("tokens", "Access tokens last for five minutes.", {
      lifetimes: { accessToken: "5m" },
    }),
    "keycloak.response": uncertain("tokens", "Token responses have session_state and more.", {
      dialect: {
        tokenResponse: {
          set: { "not-before-policy": 0, session_state: "{uuid:random}", refresh_expires_in: 1800 },
        },
        authorizationResponse: { set: { session_state: "{uuid:random}" } },
      },
    }),
    "keycloak.pkce": uncertain("layers", "PKCE is required only of clients that are set so.", {
      clientDefaults: { pkce: "optional" },
      unknownClientPkce: "optional",
      redirectStatus: 302,
    }),
  },
  stricter: ["Public clients need PKCE, and a refresh token is used once."],
  missing: [
    "Refresh tokens that are JWTs, with the lifetime that refresh_expires_in promises.",
    "resource_access and other mappers: realm_access has the claim roles of the user.",
    "The admin API, the account console, and the metadata: it is that of the lab.",
  ],
};
