import type { Dialect } from "../../lab/dialect/dialect.ts";
import type { AddedClaims, TokenShape } from "../../lab/dialect/token_settings.ts";
import type { FoundFact } from "./found_fact.ts";
import type { RecordedTokens } from "./recorded_tokens.ts";

/** The longest lifetime of an access token that is taken over, in seconds. */
const maxLifetime = 30 * 24 * 60 * 60;

/** The values that a lab gives claims that only other servers have, in ID tokens. */
export const idTokenValues: Readonly<Record<string, string>> = {
  azp: "{token.aud}",
  nbf: "{token.iat}",
  uti: "{token.jti}",
};

/** The same in access tokens. */
export const accessTokenValues: Readonly<Record<string, string>> = {
  azp: "{token.client_id}",
  cid: "{token.client_id}",
  appid: "{token.client_id}",
  nbf: "{token.iat}",
  scp: "{token.scope}",
  uid: "{token.sub}",
  uti: "{token.jti}",
};

/** The claims about a user, which depend on the scopes of a request. */
const userClaims: readonly string[] = [
  ...["name", "given_name", "family_name", "middle_name", "nickname", "preferred_username"],
  ...["profile", "picture", "website", "email", "email_verified", "gender", "birthdate"],
  ...["zoneinfo", "locale", "address", "phone_number", "phone_number_verified", "updated_at"],
  ...["roles", "groups"],
];

/** Claims that every ID token has, or that depend on the parameters of a request. */
const alwaysInIdTokens: readonly string[] = ["iss", "sub", "aud", "exp", "iat", "nonce"];

/** The claims that the lab has for users and tokens. */
export const ownClaims: readonly string[] = [
  ...alwaysInIdTokens,
  ...["jti", "auth_time", "acr", "amr", "sid", "at_hash", "c_hash", "client_id", "scope"],
  ...userClaims,
];

/** Returns what a token response and its tokens say about a provider. */
export function findInTokens(tokens: RecordedTokens, scopes: readonly string[]): FoundFact[] {
  return [
    ...tokenFacts(tokens),
    ...accessTokenFacts(tokens),
    ...tokens.idToken ? idTokenFacts(tokens.idToken.claims, scopes) : [],
  ];
}

function tokenFacts(
  { isForm, hasLowerCaseType, hasCommas, hasScope, lifetime }: RecordedTokens,
): FoundFact[] {
  const dialect: Dialect = {
    ...isForm && { tokenResponses: "form" },
    ...hasCommas && { scopeSeparator: "," },
    tokenResponse: {
      set: hasLowerCaseType ? { token_type: "bearer" } : {},
      unset: hasScope ? [] : ["scope"],
    },
  };
  return [
    { id: "token_response", says: "The token response had this form.", plays: { dialect } },
    ...lifetime === undefined ? [] : [{
      id: "lifetime",
      says: `An access token lasted for ${lifetime} seconds.`,
      plays: { lifetimes: { accessToken: Math.min(lifetime, maxLifetime) } },
      isAdjustable: true,
    }],
  ];
}

function accessTokenFacts({ accessToken }: RecordedTokens): FoundFact[] {
  if (accessToken === undefined) return [];
  if (accessToken === "opaque") {
    return [{
      id: "access_token",
      says: "Access tokens are opaque.",
      plays: { clientDefaults: { accessTokenFormat: "opaque" } },
    }];
  }
  const { typ, claims } = accessToken;
  const shape = shapeOf(claims, accessTokenValues);
  const header = typ === "none" ? { unset: ["typ"] } : { set: { typ: "JWT" } };
  const isOther = typ !== "at+jwt" && typ !== "other";
  return [{
    id: "access_token",
    says: `An access token was a JWT with: ${known(claims, ownClaims, shape.set)}.`,
    plays: {
      dialect: {
        claims: addedUserClaims(claims, "access_token", userClaims),
        accessToken: { ...shape, ...isOther && { header } },
      },
    },
  }];
}

/** Claims about the user that tokens have, each with the scope that OpenID Connect gives it. */
function addedUserClaims(
  claims: readonly string[],
  place: "access_token" | "id_token",
  names: readonly string[],
): AddedClaims[] {
  const recorded = names.filter((name) => claims.includes(name));
  const scopes = new Set(recorded.map(scopeOf));
  return [...scopes].map((scope) => ({
    in: [place],
    ...scope !== undefined && { scope },
    set: Object.fromEntries(
      recorded.filter((name) => scopeOf(name) === scope).map((name) => [name, `{user.${name}}`]),
    ),
  }));
}

function scopeOf(claim: string): string | undefined {
  if (claim === "roles" || claim === "groups") return undefined;
  const [first = ""] = claim.split("_");
  return ["email", "address", "phone"].find((scope) => scope === first) ?? "profile";
}

/** One login shows the claims of its scopes and parameters; those of others stay. */
function idTokenFacts(claims: readonly string[], scopes: readonly string[]): FoundFact[] {
  const { keep = [], set } = shapeOf(claims, idTokenValues);
  const others = userClaims.filter((name) => !scopes.includes(scopeOf(name) ?? "openid"));
  const kept = [...new Set([...alwaysInIdTokens, ...keep, ...others])];
  return [{
    id: "id_token",
    says: `An ID token had: ${known(claims, ownClaims, set)}.`,
    plays: {
      dialect: {
        claims: addedUserClaims(claims, "id_token", ["roles", "groups"]),
        idToken: { keep: kept, set },
      },
    },
  }];
}

function shapeOf(
  claims: readonly string[],
  values: Readonly<Record<string, string>>,
): TokenShape {
  const keep = claims.filter((name) => ownClaims.includes(name));
  return { keep, set: valuesFor(claims, values) };
}

/** Returns the values of those names that have one. */
export function valuesFor(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Lists those names that the lab plays. */
export function known(
  names: readonly string[],
  own: readonly string[],
  set: Readonly<Record<string, unknown>> = {},
): string {
  return names.filter((name) => own.includes(name) || Object.hasOwn(set, name)).join(", ");
}
