import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  fact,
  optionalPkce,
  pathsOf,
  rs256,
  uncertain,
  wire,
  words,
} from "./preset_facts.ts";

const noType = { header: { unset: ["typ"] } };
const methods = words(
  "client_secret_basic client_secret_post client_secret_jwt private_key_jwt none",
);
const asymmetric = words("RS256 RS384 RS512 ES256 ES384 ES512");
const algs = [...words("HS256 HS384 HS512"), ...asymmetric];

/** The metadata, as it was published. Types of responses beyond code are not played. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{issuer}/v1/authorize",
  token_endpoint: "{issuer}/v1/token",
  userinfo_endpoint: "{issuer}/v1/userinfo",
  registration_endpoint: "{base}/oauth2/v1/clients",
  jwks_uri: "{issuer}/v1/keys",
  response_types_supported: [
    ...["code", "id_token", "code id_token", "code token", "id_token token"],
    "code id_token token",
  ],
  response_modes_supported: words("query fragment form_post okta_post_message"),
  grant_types_supported: words(
    "authorization_code implicit refresh_token password " +
      "urn:ietf:params:oauth:grant-type:device_code urn:openid:params:grant-type:ciba " +
      "urn:okta:params:oauth:grant-type:otp http://auth0.com/oauth/grant-type/mfa-otp " +
      "urn:okta:params:oauth:grant-type:oob http://auth0.com/oauth/grant-type/mfa-oob",
  ),
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  id_token_encryption_alg_values_supported: words("RSA-OAEP-256 RSA-OAEP-384 RSA-OAEP-512"),
  id_token_encryption_enc_values_supported: ["A256GCM"],
  scopes_supported: words(
    "openid profile email address phone offline_access device_sso interclient_access",
  ),
  token_endpoint_auth_methods_supported: methods,
  claims_supported: words(
    "iss ver sub aud iat exp jti auth_time amr idp nonce name nickname preferred_username " +
      "given_name middle_name family_name email email_verified profile zoneinfo locale address " +
      "phone_number picture website gender birthdate updated_at at_hash c_hash",
  ),
  code_challenge_methods_supported: ["S256"],
  introspection_endpoint: "{issuer}/v1/introspect",
  introspection_endpoint_auth_methods_supported: methods,
  revocation_endpoint: "{issuer}/v1/revoke",
  revocation_endpoint_auth_methods_supported: methods,
  end_session_endpoint: "{issuer}/v1/logout",
  request_parameter_supported: true,
  request_object_signing_alg_values_supported: algs,
  device_authorization_endpoint: "{issuer}/v1/device/authorize",
  pushed_authorization_request_endpoint: "{issuer}/v1/par",
  backchannel_token_delivery_modes_supported: ["poll"],
  backchannel_authentication_request_signing_alg_values_supported: algs,
  dpop_signing_alg_values_supported: asymmetric,
};

/** Okta, with a custom authorization server. */
export const okta: ProviderPreset = {
  name: "okta",
  title: "Okta (custom authorization server)",
  sources: {
    overview: [
      "https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/",
      "no date",
    ],
    metadata: [
      "https://{yourOktaDomain}/oauth2/default/.well-known/openid-configuration",
      "2026-09-18, of a trial tenant",
    ],
    login: [
      "https://github.com/search?q=%22oauth2cli%22+%22okta.com%2Foauth2%22&type=code",
      "2026-09-18, a login that kubelogin printed",
    ],
    auth_js: ["https://www.npmjs.com/package/@okta/okta-auth-js", "version 8.0.1"],
    passport: ["https://www.npmjs.com/package/@davidzemon/passport-okta-oauth", "version 0.0.7"],
    oidc: ["https://developer.okta.com/docs/reference/api/oidc/", "okta-developer-docs 424da68"],
    ciba: [
      "https://developer.okta.com/docs/guides/configure-ciba/main/",
      "no date; the same path is in okta-auth-js",
    ],
  },
  facts: {
    issuer: wire("overview", "The issuer is the id of a server, below /oauth2.", {
      issuerPath: "/oauth2/:server",
      tenant: "default",
    }),
    paths: fact("oidc, metadata", "The endpoints are below /v1.", {
      paths: pathsOf(metadata, "{issuer}"),
    }),
    ciba: fact("ciba", "Clients ask users at /v1/bc/authorize, and poll.", {
      paths: pathsOf(
        { backchannel_authentication_endpoint: "{issuer}/v1/bc/authorize" },
        "{issuer}",
      ),
    }),
    metadata: wire("metadata", "OpenID Connect Discovery has what a server publishes.", {
      documents: [{
        path: "/oauth2/{tenant}/.well-known/openid-configuration",
        body: metadata,
      }],
    }),
    rs256: fact("overview, login", "Everything is signed with RS256.", rs256),
    no_typ: wire("overview, login", "JWTs have alg and kid in their header, and no typ.", {
      idToken: noType,
      accessToken: noType,
    }),
    user_id: wire("overview, login", "Ids of users begin with 00u.", {
      subjects: { form: "alphanumeric", length: 17, prefix: "00u" },
    }),
    access_token: wire("overview, login", "Access tokens have cid, uid, ver and a list in scp.", {
      claims: [{ in: ["access_token"], set: { uid: "{user.sub}", scp: "{scopes}" } }],
      accessToken: {
        keep: ["iss", "aud", "sub", "iat", "exp", "auth_time", "uid", "scp"],
        set: { ver: 1, cid: "{token.client_id}", jti: "AT.{token.jti}" },
      },
    }),
    audience: adjustable(fact("oidc", "The audience is that of the server: api://default.", {
      defaultResource: "api://default",
      dialect: { accessToken: { set: { aud: "api://default" } } },
    })),
    id_token: fact("overview, login", "ID tokens have ver, idp, and the claims of scopes.", {
      idTokenClaims: "by-scope",
      dialect: {
        idToken: {
          unset: ["acr", "sid"],
          set: { ver: 1, idp: "00o{hex:issuer}", jti: "ID.{token.jti}" },
        },
      },
    }),
    offline_access: wire("oidc", "A refresh token needs the scope offline_access.", {
      refreshTokens: { scope: "offline_access" },
    }),
    lifetime: adjustable(fact("overview", "Tokens last for an hour; an access policy decides.", {
      lifetimes: { accessToken: "1h" },
    })),
    public: wire("auth_js", "A public client names itself by Basic, and introspects its tokens.", {
      clientRequests: { basicForms: ["id-alone"], publicIntrospection: true },
    }),
    basic: uncertain(wire("passport", "A colon may follow the word Basic.", {
      clientRequests: { basicForms: ["colon"] },
    })),
    pkce: uncertain(fact("oidc", "PKCE is required of public clients alone.", optionalPkce)),
    redirect: uncertain(fact("oidc", "Redirects have the status 302.", { redirectStatus: 302 })),
  },
  stricter: ["A scope that an API does not know is refused, and iss is in every response."],
  missing: [
    "Grants that the metadata names: implicit, password, otp, oob, mfa-otp and mfa-oob.",
    "The org authorization server, response types beyond code, and okta_post_message.",
    "sub of access tokens as a claim that you may change.",
    "offline_access in the scope of a response, unless prompt=consent.",
    "Errors of the management API, session tokens, and access policies.",
    "The list scp of a client without a user, and registration, which is not below the issuer.",
  ],
};
