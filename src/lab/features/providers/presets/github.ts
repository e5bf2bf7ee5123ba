import type { ProviderPreset } from "./preset.ts";
import {
  fact,
  hosts,
  lowerCaseBearer,
  noIssuer,
  optionalPkce,
  tokenError,
  uncertain,
  userApis,
  wire,
} from "./preset_facts.ts";

const docs = "https://docs.github.com/en/apps/oauth-apps";
const troubles = "troubleshooting-oauth-app-access-token-request-errors";
const news = "https://github.blog/changelog/2025-07-14";
const help = "/apps/managing-oauth-apps/troubleshooting-";
const documentation_url = "https://docs.github.com/rest";
const unauthorized = { status: 401, body: { message: "Bad credentials", documentation_url } };
const notFound = { status: 404, body: { message: "Not Found", documentation_url } };

/** What the API knows about a user, as far as a sign-in needs it. */
const user = {
  login: "{user.preferred_username}",
  id: "{number:user.sub}",
  avatar_url: '{user.picture|""}',
  html_url: "{user.profile|null}",
  type: "User",
  name: "{user.name|null}",
  blog: "{user.website|null}",
  email: "{user.public_email|null}",
};
const scopeHeader = { "X-OAuth-Scopes": "{scopes}" };
const app = { client_id: "{client}", name: "{client}", url: `${documentation_url}/apps` };
const ofToken = { parameter: "access_token", client: { unauthorized }, unknown: notFound };
const anyError = { error: "{error}", error_description: "{description}" };
const verified = "{user.email_verified|false}";
const email = { email: "{user.email}", primary: true, verified, visibility: "private" };

/** GitHub, as OAuth apps see it. */
export const github: ProviderPreset = {
  name: "github",
  title: "GitHub (OAuth apps)",
  sources: {
    flow: [`${docs}/building-oauth-apps/authorizing-oauth-apps`, "github/docs 029b09a"],
    errors: [`${docs}/maintaining-oauth-apps/${troubles}`, "github/docs 058fa63"],
    pkce: [`${news}-pkce-support-for-oauth-and-github-app-authentication/`, "2025-07-14"],
    user: ["https://docs.github.com/en/rest/users/users", "no date"],
    emails: ["https://docs.github.com/enterprise-server@3.17/rest/users/emails", "version 3.17"],
    scopes: [`${docs}/building-oauth-apps/scopes-for-oauth-apps`, "github/docs 0460e40"],
    applications: ["https://docs.github.com/en/rest/apps/oauth-applications", "no date"],
    octokit: ["https://www.npmjs.com/package/@octokit/oauth-methods", "version 6.0.5"],
    clients: ["https://github.com/search?q=bad_verification_code&type=code", "five clients"],
  },
  facts: {
    paths: fact("flow", "The endpoints are below /login, also the page for devices.", {
      paths: {
        authorize: "/login/oauth/authorize",
        token: "/login/oauth/access_token",
        deviceAuthorization: "/login/device/code",
        device: "/login/device",
      },
    }),
    hosts: wire("flow, user", "The API about users has a separate host.", {
      hosts: [...hosts("github.com"), ...hosts("api.github.com", "/user /user/emails")],
    }),
    no_openid: fact("flow", "There is no metadata, no OpenID Connect and no ID token.", {
      scopes: {
        "repo": "Full control of private repositories",
        "read:org": "See your organizations and teams",
        "gist": "Create gists",
        "user": "Change all data of your profile",
        "read:user": "See all data of your profile",
        "user:email": "See your e-mail addresses",
      },
      dialect: { ownMetadata: false },
    }),
    form: wire("flow", "Token responses are forms, unless Accept asks for JSON.", {
      tokenResponses: "form",
    }),
    requests: wire("flow, octokit", "Requests need no types, and may be JSON.", {
      clientRequests: { responseType: "code", grantType: "authorization_code", json: true },
    }),
    bearer: wire("flow", "The token type is 'bearer', in lower case.", lowerCaseBearer),
    no_expiry: fact("flow", "Access tokens do not expire, so nothing refreshes them.", {
      lifetimes: { accessToken: "365d" },
      grantTypes: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      dialect: { tokenResponse: { unset: ["expires_in", "refresh_token"] } },
    }),
    codes: fact("flow", "Codes last for 10 minutes, and those of devices for 15.", {
      lifetimes: { code: "10m", deviceCode: "15m" },
    }),
    comma: wire("flow, clients", "Commas separate scopes.", { scopeSeparator: "," }),
    gho: fact("flow", "Access tokens are opaque and begin with gho_.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      dialect: { credentials: { accessToken: { prefix: "gho_", length: 36 } } },
    }),
    code: uncertain(wire("clients", "Codes have 20 hexadecimal digits.", {
      credentials: { code: { form: "hex", length: 20 } },
    })),
    pkce: fact("pkce", "PKCE is not required, and its only method is S256.", optionalPkce),
    redirect_uri: fact("flow", "No request needs the redirect_uri of an app that has one.", {
      clientDefaults: { redirectUriAtToken: "if-present" },
      dialect: { clientRequests: { redirectUri: "optional" } },
    }),
    no_iss: wire("flow", "A response has a code and the state, and no iss.", noIssuer),
    redirect: uncertain(fact("clients", "Redirects have the status 302.", { redirectStatus: 302 })),
    secret: wire("errors", "A wrong secret is incorrect_client_credentials.", {
      errors: [tokenError("invalid_client", {
        error: "incorrect_client_credentials",
        error_description: "The client_id and/or client_secret passed are incorrect.",
        error_uri: `${help}oauth-app-access-token-request-errors/#incorrect-client-credentials`,
      }, 200)],
    }),
    mismatch: wire("errors", "Another redirect_uri is redirect_uri_mismatch.", {
      errors: [tokenError("code.redirect_uri, code.redirect_uri_present", {
        error: "redirect_uri_mismatch",
        error_description:
          "The redirect_uri MUST match the registered callback URL for this application.",
        error_uri: `${help}authorization-request-errors/#redirect-uri-mismatch2`,
      }, 200)],
    }),
    bad_code: wire("errors", "A wrong code is bad_verification_code.", {
      errors: [tokenError("invalid_grant", {
        error: "bad_verification_code",
        error_description: "The code passed is incorrect or expired.",
        error_uri: `${help}oauth-app-access-token-request-errors/#bad-verification-code`,
      }, 200)],
    }),
    always_ok: uncertain(wire("clients", "Errors of the token endpoint have the status 200.", {
      errors: [{ at: "token", status: 200, set: anyError }],
    })),
    user: wire("user", "The API /user describes the user; email may be null.", {
      userApis: userApis("/user /api/v3/user", { body: user, unauthorized, headers: scopeHeader }),
    }),
    scope_header: wire("scopes", "Responses of the API name the scopes of the token.", {}),
    tokens: wire("applications", "An app checks a token, deletes it, and deletes its grant.", {
      tokenApis: [
        {
          ...ofToken,
          path: "/applications/:client/token",
          body: { app, scopes: "{scopes}", user },
        },
        ...["token", "grant"].map((name) => ({
          ...ofToken,
          method: "DELETE" as const,
          path: `/applications/:client/${name}`,
          revokes: true,
          status: 204,
        })),
      ],
    }),
    emails: wire("emails", "The API /user/emails needs the scope user:email or user.", {
      userApis: userApis("/user/emails /api/v3/user/emails", {
        body: [email],
        unauthorized,
        forbidden: notFound,
        scopes: ["user:email", "user"],
        headers: { ...scopeHeader, "X-Accepted-OAuth-Scopes": "user, user:email" },
      }),
    }),
  },
  stricter: [
    "A redirect_uri is compared as it is registered; GitHub takes paths below it.",
    "A device sends the secret of its client, if that has one.",
    "A request without a scope gets the client's default scope, not what was granted before.",
  ],
  missing: [
    "Resetting a token. Deleting one deletes its grant, and not the grants of other sign-ins.",
    "XML, GitHub Apps with their refresh tokens, and APIs that are not about the user.",
    "The redirect to the registered URI if a redirect_uri is wrong.",
    "GitHub's refusal of scripts (CORS) at the token endpoint.",
  ],
};
