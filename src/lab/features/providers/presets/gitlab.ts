import type { ProviderPreset } from "./preset.ts";
import {
  claimsOfUser,
  describedError,
  fact,
  hosts,
  lowerCaseBearer,
  optionalPkce,
  pathsOf,
  plainRedirect,
  rs256,
  signInScopes,
  uncertain,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://docs.gitlab.com";
const higher = {
  error_description: "The request requires higher privileges than provided by the access token.",
};
const hex = { form: "hex", length: 64 } as const;

const invalidGrant =
  "The provided authorization grant is invalid, expired, revoked, does not match " +
  "the redirection URI used in the authorization request, or was issued to another client.";
const invalidClient = "Client authentication failed due to unknown client, no client " +
  "authentication included, or unsupported authentication method.";

/** The metadata, as it was published. Response modes and grants beyond those of the lab are not played. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/oauth/authorize",
  token_endpoint: "{base}/oauth/token",
  revocation_endpoint: "{base}/oauth/revoke",
  introspection_endpoint: "{base}/oauth/introspect",
  userinfo_endpoint: "{base}/oauth/userinfo",
  jwks_uri: "{base}/oauth/discovery/keys",
  scopes_supported: words(
    "api read_api read_user create_runner manage_runner k8s_proxy self_rotate mcp mcp_orbit " +
      "read_repository write_repository read_registry write_registry read_virtual_registry " +
      "write_virtual_registry read_observability write_observability ai_features sudo admin_mode " +
      "read_service_ping openid profile email ai_workflows user:*",
  ),
  response_types_supported: ["code"],
  response_modes_supported: words("query fragment form_post"),
  grant_types_supported: words("authorization_code client_credentials device_code refresh_token"),
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  claim_types_supported: ["normal"],
  claims_supported: words(
    "iss sub aud exp iat sub_legacy name nickname preferred_username given_name family_name email " +
      "email_verified website profile picture groups groups_direct " +
      "https://gitlab.org/claims/groups/owner https://gitlab.org/claims/groups/maintainer " +
      "https://gitlab.org/claims/groups/developer project_path ci_config_ref_uri ref_path sha " +
      "environment jti",
  ),
  code_challenge_methods_supported: ["plain", "S256"],
};

const withRegistration = { ...metadata, registration_endpoint: "{base}/oauth/register" };

/** The claims that the scope openid is enough for. */
const claims = {
  ...claimsOfUser("name preferred_username website profile picture"),
  nickname: "{user.preferred_username}",
};

/** GitLab.com, or a self-managed GitLab. */
export const gitlab: ProviderPreset = {
  name: "gitlab",
  title: "GitLab",
  sources: {
    metadata: ["https://gitlab.com/.well-known/openid-configuration", "copy of 2026-07-16"],
    oauth: [`${docs}/api/oauth2/`, "gitlabhq 04b8ef1"],
    claims: [`${docs}/integration/openid_connect_provider/`, "no date; gitlabhq 05f0ebb"],
    source: ["https://github.com/gitlabhq/gitlabhq", "doorkeeper.rb 017a6c1, .en.yml 08ed6b1"],
    doorkeeper: ["https://github.com/doorkeeper-gem/doorkeeper", "0027b4c; openid_connect 00bc9cd"],
    user: [`${docs}/api/users/`, "gitlabhq 000087a"],
    names: ["https://gitlab.com/gitlab-org/gitlab-foss/-/issues/44925", "2018"],
  },
  facts: {
    paths: fact("metadata, oauth", "The endpoints are below /oauth.", {
      paths: {
        ...pathsOf(metadata),
        deviceAuthorization: "/oauth/authorize_device",
        device: "/oauth/device",
      },
      dialect: { hosts: hosts("gitlab.com") },
    }),
    metadata: wire("metadata", "Both metadata documents are published.", {
      ownMetadata: false,
      documents: [
        { path: "/.well-known/openid-configuration", body: metadata },
        { path: "/.well-known/oauth-authorization-server", body: withRegistration },
      ],
    }),
    scopes: fact("metadata, source", "Scopes belong to the API or to OpenID Connect.", {
      scopes: {
        api: "Use the API in your name",
        read_api: "Read everything that you can read",
        read_user: "Read your profile",
        ...signInScopes,
      },
    }),
    query: wire("oauth", "An access token may be in the query of a request.", {
      clientRequests: { queryToken: true },
    }),
    public: wire("doorkeeper", "A public client is named by Basic, and introspects its tokens.", {
      clientRequests: { basicForms: ["id-alone"], publicIntrospection: true },
    }),
    rs256: fact("metadata", "ID tokens are signed with RS256.", rs256),
    sub: wire("claims, names", "sub is a number. A user name that was given up is free.", {
      subjects: { form: "digits", length: 8 },
      traits: ["free names"],
    }),
    claims: fact("claims, source", "The scope openid is enough for all but email.", {
      idTokenClaims: "by-scope",
      dialect: {
        claims: [
          { in: ["id_token", "userinfo"], scope: "openid", set: claims },
          { in: ["id_token"], scope: "openid", set: { groups_direct: "{user.groups|[]}" } },
          { in: ["userinfo"], scope: "openid", set: { groups: "{user.groups|[]}" } },
        ],
        idToken: { unset: ["acr", "amr", "sid", "jti"] },
      },
    }),
    id_token_lifetime: uncertain(fact("doorkeeper", "ID tokens last for two minutes.", {
      lifetimes: { idToken: "2m" },
    })),
    opaque: fact("oauth, source", "Tokens have 64 hexadecimal digits.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: { credentials: { accessToken: hex, refreshToken: hex } },
    }),
    code: uncertain(wire("source", "Codes have 64 hexadecimal digits.", {
      credentials: { code: hex },
    })),
    lifetimes: fact("oauth, source", "Tokens last for two hours, codes for ten minutes.", {
      lifetimes: { accessToken: "2h", code: "10m", deviceCode: "5m" },
    }),
    response: wire("oauth, doorkeeper", "Responses have created_at.", {
      tokenResponse: { set: { created_at: "{now}" } },
    }),
    bearer: uncertain(wire("oauth", "The token type is 'bearer', in lower case.", lowerCaseBearer)),
    pkce: fact("oauth", "PKCE is not required of clients with a secret.", optionalPkce),
    callback: uncertain(fact("oauth", "The response is a 302 with code and state.", plainRedirect)),
    user: wire("user, source", "The API /api/v4/user needs read_user, read_api or api.", {
      userApis: [{
        path: "/api/v4/user",
        scopes: ["read_user", "read_api", "api"],
        body: {
          id: "{integer:user.sub}",
          username: "{user.preferred_username}",
          name: "{user.name}",
          state: "active",
          avatar_url: "{user.picture|null}",
          web_url: "{base}/{user.preferred_username}",
          public_email: "{user.public_email|null}",
          email: "{user.email}",
        },
        unauthorized: { status: 401, body: { message: "401 Unauthorized" } },
        forbidden: { status: 403, body: { error: "insufficient_scope", ...higher } },
      }],
    }),
    errors: wire("source", "Errors have the sentences of Doorkeeper.", {
      errors: [
        describedError("invalid_grant", "invalid_grant", invalidGrant),
        describedError("invalid_client", "invalid_client", invalidClient, 401),
      ],
    }),
  },
  stricter: [
    "The PKCE method plain is refused, and public clients need PKCE.",
    "A refresh token is used once, and a second use ends the authorization.",
  ],
  missing: [
    "The grant of devices as device_code, the name that the metadata has.",
    "The password grant, client_credentials for users, dynamic scopes, and response modes.",
    "Claims about roles in groups, sub_legacy, and the public e-mail address.",
    "ID tokens of CI jobs, and the API beyond /api/v4/user.",
  ],
};
