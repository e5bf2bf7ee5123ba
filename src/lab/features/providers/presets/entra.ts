import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  deviceGrantAs,
  fact,
  hosts,
  notPlayed,
  optionalPkce,
  rs256,
  signInScopes,
  tokenError,
  uncertain,
  userApis,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://learn.microsoft.com/en-us/entra/identity-platform";
const graph = "https://graph.microsoft.com/User.Read";

/** The metadata of one tenant, of `common` or of `organizations`. */
const metadata = (tenant: string, issuer: string) => ({
  token_endpoint: `{base}/${tenant}/oauth2/v2.0/token`,
  token_endpoint_auth_methods_supported: words(
    "client_secret_post private_key_jwt client_secret_basic",
  ),
  jwks_uri: `{base}/${tenant}/discovery/v2.0/keys`,
  response_modes_supported: words("query fragment form_post"),
  subject_types_supported: ["pairwise"],
  id_token_signing_alg_values_supported: ["RS256"],
  response_types_supported: ["code", "id_token", "code id_token", "id_token token"],
  scopes_supported: words("openid profile email offline_access"),
  issuer,
  request_uri_parameter_supported: false,
  userinfo_endpoint: "{base}/oidc/userinfo",
  authorization_endpoint: `{base}/${tenant}/oauth2/v2.0/authorize`,
  device_authorization_endpoint: `{base}/${tenant}/oauth2/v2.0/devicecode`,
  http_logout_supported: true,
  frontchannel_logout_supported: true,
  end_session_endpoint: `{base}/${tenant}/oauth2/v2.0/logout`,
  claims_supported: words(
    "sub iss cloud_instance_name cloud_instance_host_name cloud_graph_host_name msgraph_host aud exp " +
      "iat auth_time acr nonce preferred_username name tid ver at_hash c_hash email",
  ),
  kerberos_endpoint: `{base}/${tenant}/kerberos`,
  tenant_region_scope: null,
  cloud_instance_name: "microsoftonline.com",
  cloud_graph_host_name: "graph.windows.net",
  msgraph_host: "graph.microsoft.com",
  rbac_url: "https://pas.windows.net",
});

/** An error with its code; `names` are errors of the server, or rules. */
const coded = (names: string, error: string, code: number, text: string, status?: number) =>
  tokenError(names, withCode(error, code, text), status);
const named = (error: string, code: number, text: string, status?: number) =>
  coded(error, error, code, text, status);
const withCode = (error: string, code: number, text: string) => ({
  error,
  error_description:
    `AADSTS${code}: ${text}\r\nTrace ID: {uuid:trace}\r\nCorrelation ID: {uuid:random}\r\nTimestamp: {time}`,
  error_codes: [code],
  timestamp: "{time}",
  trace_id: "{uuid:trace}",
  correlation_id: "{uuid:random}",
});
const noTenant = withCode("invalid_tenant", 90002, "Tenant '{segment}' not found.");
const path = "/v2.0/.well-known/openid-configuration";
const deviceMessage = "To sign in, use a web browser to open the page {device.verification_uri} " +
  "and enter the code {device.user_code} to authenticate.";
const noPhoto = { code: "ImageNotFound", message: "There is no photo." };
const empty = { code: "InvalidAuthenticationToken", message: "Access token is empty." };

const anyTenant = "{base}/{tenantid}/v2.0";
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
const groups = ["groups", "_claim_names", "_claim_sources"];
const members = "https://graph.windows.net/{tenant}/users/{uuid:user.sub}/getMemberObjects";
const source = { src1: { endpoint: members } };
const both = ["id_token", "access_token"] as const;
const wrongType = "AADSTS500208: The domain is not a valid login domain for the account type.";
const notInTenant = "AADSTS50020: User account '{user.email|username}' is not in '{tenant}'.";
const cloud = { preferred_network: "{host}", preferred_cache: "{host}", aliases: ["{host}"] };

const others = "Several APIs in one request, guests, version 1.0, B2C and External ID.";

/** What tokens of both kinds have. */
const common = {
  iss: "{base}/{token.tid|tenant}/v2.0",
  tid: "{token.tid|tenant}",
  nbf: "{token.iat}",
  uti: "{token.jti}",
  ver: "2.0",
};

/** Microsoft Entra, version 2.0 of its endpoints, with one tenant of an organization. */
export const entra: ProviderPreset = {
  name: "entra",
  title: "Microsoft Entra ID (v2.0)",
  sources: {
    common: [`https://login.microsoftonline.com/common${path}`, "2024-10-01"],
    flow: [`${docs}/v2-oauth2-auth-code-flow`, "2024-04-08, entra-docs 0c1ac84"],
    id: [`${docs}/id-token-claims-reference`, "2023-05-30, entra-docs 0028128"],
    access: [`${docs}/access-token-claims-reference`, "2023-05-26, entra-docs 003f1aa"],
    certificate: [`${docs}/certificate-credentials`, "2025-01-04, entra-docs 07bd829"],
    errors: [`${docs}/reference-error-codes`, "entra-docs 04f6554"],
    msal: [
      "https://github.com/AzureAD/microsoft-authentication-library-for-js",
      "msal-common 13.3",
    ],
    me: ["https://learn.microsoft.com/en-us/graph/api/user-get", "no date"],
    default: [`${docs}/scopes-oidc`, "2023-11-17, entra-docs 011322d"],
    device: [`${docs}/v2-oauth2-device-code`, "2024-01-10, entra-docs 0358995"],
    photo: ["https://learn.microsoft.com/en-us/graph/api/profilephoto-get", "no date"],
  },
  facts: {
    issuer: wire("id, common", "The issuer is the id of a tenant, followed by /v2.0.", {
      issuerPath: "/:tenant/v2.0",
      tenant: "aaaabbbb-0000-cccc-1111-dddd2222eeee",
    }),
    paths: wire("common, access", "Tenants have the same endpoints, as common has, and keys.", {
      traits: ["shared keys"],
      aliases: [
        { path: "/:tenant/oauth2/v2.0/authorize", to: "authorize" },
        { path: "/:tenant/oauth2/v2.0/token", to: "token" },
        { path: "/:tenant/oauth2/v2.0/logout", to: "logout" },
        { path: "/:tenant/oauth2/v2.0/devicecode", to: "deviceAuthorization" },
        { path: "/:tenant/discovery/v2.0/keys", to: "jwks" },
        { path: "/oidc/userinfo", to: "userinfo" },
      ],
    }),
    hosts: wire("common, me, msal", "The issuer has older hosts, and Graph has its own.", {
      hosts: [
        ...hosts("login.microsoftonline.com login.microsoft.com login.windows.net sts.windows.net"),
        ...hosts("graph.microsoft.com", "/oidc/userinfo /v1.0/me"),
      ],
    }),
    tenantid: wire("common", "The issuer of common is, literally, …/{tenantid}/v2.0.", {
      ownMetadata: false,
      documents: [
        { path: `/common${path}`, body: metadata("common", anyTenant) },
        { path: `/organizations${path}`, body: metadata("organizations", anyTenant) },
        { path: `/{tenant}${path}`, body: metadata("{tenant}", "{issuer}") },
      ],
    }),
    consumers: wire("access, id", "Personal accounts belong to a tenant of their own.", {
      documents: ["consumers", personal].map((name) => ({
        path: `/${name}${path}`,
        body: metadata(name, `{base}/${personal}/v2.0`),
      })),
      claims: [{ in: [...both], set: { tid: "{user.tid}" } }],
    }),
    accounts: wire("flow, errors", "The path says which accounts may sign in.", {
      accountTypes: {
        paths: ["/:tenant/oauth2/v2.0/authorize", "/:tenant/oauth2/v2.0/devicecode"],
        account: "{user.tid|tenant}",
        rules: [
          { segments: ["common"] },
          { segments: ["organizations"], never: [personal], text: wrongType },
          { segments: ["consumers", personal], only: [personal], text: wrongType },
          { only: ["{tenant}"], text: notInTenant },
        ],
      },
    }),
    no_tenant: wire("errors", "An unknown tenant is AADSTS90002.", {
      documents: [{ path: `/:tenant${path}`, status: 400, body: noTenant }],
    }),
    instance: wire("msal", "Instance discovery names the hosts of a cloud.", {
      documents: [{
        path: "/common/discovery/instance",
        body: {
          tenant_discovery_endpoint: `{base}/common${path}`,
          "api-version": "1.1",
          metadata: [cloud],
        },
      }],
    }),
    rs256: fact("access, common", "Everything is signed with RS256.", rs256),
    scopes: fact("flow", "Beside those of OpenID Connect, scopes belong to an API.", {
      scopes: {
        ...signInScopes,
        offline_access: "Keep the access that you have given",
        "User.Read": "Sign you in and read your profile",
        [graph]: "Sign you in and read your profile",
      },
      defaultScope: ["User.Read"],
    }),
    assertion: fact("certificate", "A client assertion is for the URL of the token endpoint.", {
      clientDefaults: { assertionAudience: "token-endpoint" },
    }),
    pairwise: fact("id", "sub differs between applications, oid does not.", {
      clientDefaults: { subjectType: "pairwise" },
      dialect: { claims: [{ in: [...both], scope: "profile", set: { oid: "{uuid:user.sub}" } }] },
    }),
    id_token: fact("id", "ID tokens have ver, tid and uti, and no at_hash.", {
      idTokenClaims: "by-scope",
      dialect: {
        idToken: {
          keep: [
            ...words("aud iat exp nonce sub sid oid name preferred_username email"),
            ...groups,
          ],
          set: common,
        },
      },
    }),
    access_token: wire("access", "Access tokens have azp, scp as a text, and typ JWT.", {
      accessToken: {
        header: { set: { typ: "JWT" } },
        keep: ["iat", "exp", "sub", "oid", ...groups],
        set: { ...common, azp: "{token.client_id}", scp: "{token.scope}" },
      },
    }),
    azpacr: wire("access", "azpacr says how the client authenticates.", {
      accessToken: { set: { azpacr: "{authentication}" } },
    }),
    audience: wire("access", "The audience is the API of the scopes, by its client id.", {
      scopeAudience: true,
      accessToken: { set: { aud: "{token.aud}" } },
    }),
    graph: uncertain(wire("flow", "Scopes without an API belong to Microsoft Graph.", {
      userinfoAudience: "https://graph.microsoft.com",
    })),
    groups: wire("access", "With more than 200 groups, a claim says where they are.", {
      claims: [{
        in: [...both],
        set: { groups: "{user.groups}" },
        overage: { most: 200, set: { _claim_names: { groups: "src1" }, _claim_sources: source } },
      }],
    }),
    lifetime: adjustable(fact("flow", "Access tokens last for 3599 s, codes for 10 minutes.", {
      lifetimes: { accessToken: 3599, code: "10m" },
    })),
    offline_access: wire("flow", "A refresh token needs the scope offline_access.", {
      refreshTokens: { scope: "offline_access" },
    }),
    response: uncertain(fact("flow", "Responses have session_state, and no iss.", {
      redirectStatus: 302,
      dialect: {
        authorizationResponse: { set: { session_state: "{uuid:random}" }, unset: ["iss"] },
      },
    })),
    fragment: fact("common, flow", "A code may come in a fragment.", {
      clientDefaults: { responseModes: ["query", "fragment", "form_post"] },
    }),
    pkce: fact("flow", "PKCE is required of public clients alone.", optionalPkce),
    me: uncertain(wire("me", "Microsoft Graph describes the user who signed in at /v1.0/me.", {
      userApis: userApis("/v1.0/me /v1.0/me/", {
        scopes: ["User.Read", graph],
        body: {
          "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users/$entity",
          displayName: "{user.name|null}",
          givenName: "{user.given_name|null}",
          surname: "{user.family_name|null}",
          mail: "{user.email|null}",
          userPrincipalName: "{user.preferred_username|null}",
          id: "{uuid:user.sub}",
        },
        unauthorized: { status: 401, body: { error: empty } },
      }),
    })),
    case: wire("device", "A request for user.read is one for User.Read.", {
      clientRequests: {
        scopeSynonyms: { "user.read": "User.Read", [graph.toLowerCase()]: graph },
      },
    }),
    default: wire("default", "API/.default stands for the scopes of a client there.", {
      clientRequests: { allScopes: ".default" },
    }),
    device: wire("device", "A device gets a message to show.", {
      deviceResponse: {
        set: { message: deviceMessage },
        unset: ["verification_uri_complete"],
      },
    }),
    device_code: wire(
      "msal",
      "The grant of devices is device_code, too.",
      deviceGrantAs("device_code"),
    ),
    v1: wire(
      "id",
      "Version 1.0 has its endpoints at /oauth2.",
      notPlayed(others, "/:tenant/oauth2/authorize /:tenant/oauth2/token"),
    ),
    photo: wire("photo", "A user without a photo has none at Graph: the status is 404.", {
      documents: [{ path: "/v1.0/me/photos/:size/$value", status: 404, body: { error: noPhoto } }],
    }),
    errors: wire("errors, flow", "Errors begin with AADSTS and a number.", {
      errors: [
        coded("code.unused", "invalid_grant", 54005, "The code was already redeemed."),
        named("invalid_scope", 70011, "The scope is not valid."),
        named("unsupported_grant_type", 70003, "Unsupported grant type."),
        named("authorization_pending", 70016, "Authorization is pending."),
      ],
    }),
    error_codes: uncertain(wire("errors", "More numbers are those that clients report.", {
      errors: [
        coded("verifier.matches, verifier.present", "invalid_grant", 501481, "Wrong verifier."),
        named("invalid_client", 7000215, "Invalid client secret provided.", 401),
        named("invalid_grant", 70008, "The code or refresh token has expired."),
      ],
    })),
  },
  stricter: [
    "A refresh token is used once; Entra does not revoke the old one.",
    "The PKCE method plain is refused.",
    "groups needs no setting of the application: it is in the tokens of a user who has groups.",
    "The case of other scopes than User.Read matters.",
    "A client with redirect URIs on several hosts has the same sub as others.",
  ],
  missing: [
    "Account types of applications; whether a silent request has AADSTS16000.",
    others,
    "aio, rh, roles, claims challenges, optional claims, and six groups without a code.",
    "Tokens of client_credentials have scp. Other scopes next to .default are not refused.",
    "The first scopes of a response without offline_access, and the pages of Microsoft.",
  ],
};
