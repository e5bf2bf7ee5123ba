import type { ProviderPreset } from "./preset.ts";
import { adjustable, claimsOfUser, fact, optionalPkce, uncertain, wire } from "./preset_facts.ts";

const site = "https://www.keycloak.org";
const guide = `${site}/docs/latest/server_admin/`;
const profileClaims = claimsOfUser("name preferred_username given_name family_name");
const emailClaims = { email: "{user.email}", email_verified: "{user.email_verified|false}" };
const connect = "/protocol/openid-connect";
const lifetime = fact("realm", "In a new realm, tokens last for 5, sessions for 30 minutes.", {
  lifetimes: { accessToken: "5m", code: "1m", refreshIdle: "30m", refreshToken: "10h" },
});

export const keycloak: ProviderPreset = {
  name: "keycloak",
  title: "Keycloak",
  sources: {
    endpoints: [`${site}/securing-apps/oidc-layers`, "keycloak/keycloak 1683a2e"],
    roles: [`${guide}#_oidc_token_role_mappings`, "keycloak/keycloak 4982166"],
    audience: [`${guide}#audience-support`, "keycloak/keycloak 4ca4eb5"],
    changes: [`${site}/docs/latest/upgrading/`, "18.0.0, keycloak/keycloak 4c266fe"],
    realm: ["https://github.com/keycloak/keycloak", "DefaultExportImportManager.java 00c5301"],
    js: ["https://www.npmjs.com/package/keycloak-js", "version 26.2.4"],
    adapter: ["https://www.npmjs.com/package/keycloak-connect", "version 26.1.1"],
    registration: [`${site}/securing-apps/client-registration`, "keycloak/keycloak 0a31fe2"],
    copy: ["https://github.com/panva/openid-client/issues/737", "metadata of 2024-12-01"],
    samples: [
      "https://github.com/search?q=realm_access+%22typ%22+%22Bearer%22&type=code",
      "ten samples; a measurement of a realm, without a date",
    ],
  },
  facts: {
    issuer: wire("endpoints, adapter", "The issuer is the URL of a realm.", {
      issuerPath: "/realms/:realm",
      tenant: "master",
    }),
    paths: fact("endpoints", "The endpoints are below /protocol/openid-connect.", {
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
    more_paths: fact(
      "registration, copy",
      "Requests are pushed and clients registered there, too.",
      {
        paths: {
          par: `${connect}/ext/par/request`,
          register: "/clients-registrations/openid-connect",
        },
      },
    ),
    uuid: uncertain(wire("samples", "Users have UUIDs.", { subjects: { form: "uuid" } })),
    access_token: wire("adapter", "Access tokens say typ Bearer, and name no client_id.", {
      accessToken: { unset: ["client_id"], set: { typ: "Bearer", azp: "{token.client_id}" } },
    }),
    roles: wire("roles", "realm_access has the roles of the realm.", {
      claims: [{ in: ["access_token"], set: { realm_access: { roles: "{user.roles|[]}" } } }],
    }),
    client_roles: wire("roles", "resource_access has the roles of clients.", {
      claims: [{ in: ["access_token"], set: { resource_access: "{user.resource_access}" } }],
    }),
    acr: wire("changes", "acr is 1 after a sign-in.", {
      idToken: { set: { acr: "1" } },
      accessToken: { set: { acr: "1" } },
    }),
    profile: uncertain(wire("samples", "Access tokens have typ JWT, and claims by scope.", {
      claims: [
        { in: ["access_token"], scope: "profile", set: profileClaims },
        { in: ["access_token"], scope: "email", set: emailClaims },
      ],
      accessToken: { header: { set: { typ: "JWT" } } },
    })),
    audience: adjustable(wire("audience", "The audience is account, by its roles.", {
      accessToken: { set: { aud: "account" } },
    })),
    id_token: fact("adapter", "ID tokens say typ ID and azp.", {
      idTokenClaims: "by-scope",
      dialect: { idToken: { set: { typ: "ID", azp: "{token.aud}" } } },
    }),
    lifetime: adjustable(lifetime),
    refresh_token: wire("adapter", "Refresh tokens are JWTs, with exp.", {
      refreshToken: {
        exp: "{refresh.exp}",
        iat: "{now}",
        iss: "{issuer}",
        aud: "{issuer}",
        sub: "{token.sub}",
        typ: "Refresh",
        azp: "{token.client_id}",
        scope: "{token.scope}",
      },
    }),
    fragment: fact("js", "A code may come in a fragment, where keycloak-js expects it.", {
      clientDefaults: { responseModes: ["query", "fragment", "form_post"] },
    }),
    secret_twice: wire("adapter", "A secret may be in the header and in the body.", {
      clientRequests: { repeatedSecret: true },
    }),
    response: uncertain(wire("samples", "Token responses have session_state and more.", {
      tokenResponse: {
        set: {
          "not-before-policy": 0,
          session_state: "{uuid:random}",
          refresh_expires_in: "{refresh.expires_in}",
        },
      },
      authorizationResponse: { set: { session_state: "{uuid:random}" } },
    })),
    pkce: uncertain(fact("endpoints", "PKCE is required only of clients that are set so.", {
      ...optionalPkce,
      redirectStatus: 302,
    })),
  },
  stricter: [
    "Public clients need PKCE, and a refresh token is used once.",
    "A request must name profile and email, which are default scopes of a client at Keycloak.",
  ],
  missing: [
    "Client roles by name: set the claim resource_access of a user.",
    "Mappers, offline_access, back-channel logout by refresh token, and the password grant.",
    "sid as a session_state, and refresh tokens that another client may not introspect.",
    "The admin API, the account console, and its own metadata.",
  ],
};
