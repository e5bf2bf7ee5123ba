import type { ProviderPreset } from "./preset.ts";
import {
  adjustable,
  fact,
  hosts,
  onlyMetadata,
  optionalPkce,
  pathsOf,
  plainRedirect,
  rs256,
  uncertain,
  userDeclined,
  wire,
  words,
} from "./preset_facts.ts";

const docs = "https://developer.apple.com/documentation";
const js = `${docs}/signinwithapplejs`;
const noDate = "no date";
const relay = { email: "{hex:user.sub}@privaterelay.appleid.com" };
const isHidden = { scope: "email", when: "is_private_email" };
const name = { firstName: "{user.given_name}", lastName: "{user.family_name}" };

/** The metadata, as it was published. */
const metadata = {
  issuer: "{issuer}",
  authorization_endpoint: "{base}/auth/authorize",
  token_endpoint: "{base}/auth/token",
  revocation_endpoint: "{base}/auth/revoke",
  jwks_uri: "{base}/auth/keys",
  response_types_supported: ["code"],
  response_modes_supported: words("query fragment form_post"),
  subject_types_supported: ["pairwise"],
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: words("openid email name"),
  token_endpoint_auth_methods_supported: ["client_secret_post"],
  claims_supported: words(
    "aud email email_verified exp iat is_private_email iss nonce nonce_supported real_user_status " +
      "sub transfer_sub",
  ),
};

/** Sign in with Apple, as websites see it. */
export const apple: ProviderPreset = {
  name: "apple",
  title: "Sign in with Apple",
  sources: {
    metadata: ["https://appleid.apple.com/.well-known/openid-configuration", "copy without a date"],
    tokens: [`${docs}/signinwithapplerestapi/generate_and_validate_tokens`, noDate],
    js: [`${js}/incorporating_sign_in_with_apple_into_other_platforms`, noDate],
    request: ["https://developer.apple.com/forums/thread/660531", "an answer of Apple, no date"],
    claims: [`${js}/authorizationi/id_token`, "JS 1.4.1"],
    user: ["https://authjs.dev/reference/core/providers_apple", noDate],
    sample: ["https://dev-kelly.notion.site/12029858806780a19dc8fa503ab66261", "2024-10-15"],
    mode: ["https://github.com/seoda/socialite-apple/issues/2", "2020-05-08"],
    posted: [
      "https://github.com/search?q=%22c_hash%22+%22nonce_supported%22+appleid&type=code",
      "ten samples, 2020 to 2024",
    ],
    secret: ["https://github.com/mikebronner/laravel-sign-in-with-apple/issues/9", "2020-01-21"],
    refresh: ["https://developer.apple.com/forums/thread/656845", noDate],
  },
  facts: {
    paths: fact("metadata", "The endpoints are below /auth; there is no userinfo.", {
      paths: pathsOf(metadata),
      dialect: {
        missingEndpoints: ["userinfo", "introspect", "logout", "deviceAuthorization", "device"],
      },
    }),
    hosts: wire("metadata", "All endpoints are at the host of the issuer.", {
      hosts: hosts("appleid.apple.com"),
    }),
    metadata: onlyMetadata("metadata", metadata),
    scopes: fact("metadata, js", "Scopes are name and email; an ID token comes anyway.", {
      scopes: { openid: "Sign you in", name: "See your name", email: "See your e-mail address" },
      dialect: { impliedScopes: ["openid"] },
    }),
    form_post: fact("mode, js", "With name or email, response_mode must be form_post.", {
      clientDefaults: { responseModes: ["query", "fragment", "form_post"] },
      dialect: {
        formPost: {
          scopes: ["name", "email"],
          description: "response_mode must be form_post when name or email scope is requested.",
        },
      },
    }),
    code_id_token: fact("request, js, posted", "code id_token sends an ID token with the code.", {
      responseTypes: ["code", "code id_token", "fragment"],
      dialect: { clientRequests: { nonce: "optional" } },
    }),
    user: wire("user", "Only the first response about a user has user, as JSON.", {
      firstResponse: [
        { scope: "name", set: { user: { name } } },
        { scope: "email", set: { user: { email: "{user.email}" } } },
        { ...isHidden, set: { user: relay } },
      ],
    }),
    secret: wire("tokens, secret", "A secret is an ES256 JWT, for up to six months.", {
      clientSecretJwt: { audience: "https://appleid.apple.com", maxLifetime: 15777000 },
    }),
    sub: wire("sample, claims", "sub has three groups; within a team, it is the same.", {
      subjects: { form: "hex", length: 32, prefix: "000792.", suffix: ".0638" },
    }),
    id_token: fact("claims, sample", "ID tokens last for a day and say nonce_supported.", {
      ...rs256,
      idTokenClaims: "by-scope",
      lifetimes: { idToken: "1d" },
      dialect: {
        idToken: {
          keep: words(
            "iss aud exp iat sub nonce at_hash c_hash auth_time email email_verified is_private_email",
          ),
          set: { nonce_supported: true },
        },
      },
    }),
    no_typ: uncertain(wire("sample", "ID tokens have no typ.", {
      idToken: { header: { unset: ["typ"] } },
    })),
    relay: wire("claims", "Users may hide their address behind a relay.", {
      claims: [{ in: ["id_token"], ...isHidden, set: { ...relay, is_private_email: true } }],
    }),
    texts: adjustable(wire("claims, sample", "What is true about an address may be a text.", {
      idToken: {
        set: {
          email_verified: "{text:token.email_verified}",
          is_private_email: "{text:token.is_private_email}",
        },
      },
    })),
    opaque: fact("tokens", "Access tokens are opaque; codes last for five minutes.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      lifetimes: { accessToken: "1h", code: "5m" },
    }),
    refresh: fact("refresh, tokens", "A refresh returns no new refresh token.", {
      refreshTokens: "keep",
      dialect: { tokenResponse: { unset: ["scope"] } },
    }),
    errors: wire("secret, tokens", "A token error is a name, with the status 400.", {
      errors: [{ at: "token", status: 400, set: { error: "{error}" } }],
    }),
    cancelled: uncertain(wire("js", "A user who declines is user_cancelled_authorize.", {
      errors: [userDeclined("user_cancelled_authorize")],
    })),
    response: uncertain(fact("js", "Redirects are 302, without iss, and PKCE is not known.", {
      ...optionalPkce,
      ...plainRedirect,
    })),
  },
  stricter: [
    "A client needs jwks with the key that verifies its secrets, unless the lab has anyClient.",
    "Public clients need PKCE, and their refresh tokens rotate.",
  ],
  missing: [
    "The words of the error for query with code id_token.",
    "JavaScript and apps of Apple's own.",
    "A user who edits the name, or hides the address: give users is_private_email.",
    "Subjects per team, transfer_sub, real_user_status, and events about accounts.",
    "The team in the iss of a secret: any is right.",
  ],
};
