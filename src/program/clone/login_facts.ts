import type { Dialect, TokenShape } from "../../lab/dialect/dialect.ts";
import { endpointPlaces } from "./endpoint_places.ts";
import type { FoundFact, SourceFacts } from "./found_fact.ts";
import type { RecordedAuthorization, RecordedLogin, RecordedTokens } from "./recorded_login.ts";

/** The longest lifetime of an access token that is taken over, in seconds. */
const maxLifetime = 30 * 24 * 60 * 60;

/** What parameters and claims of other servers stand for here. */
const responseValues: Readonly<Record<string, string>> = {
  scope: "{scope}",
  session_state: "{uuid:random}",
};
const idTokenValues: Readonly<Record<string, string>> = {
  azp: "{token.aud}",
  nbf: "{token.iat}",
  uti: "{token.jti}",
};
const accessTokenValues: Readonly<Record<string, string>> = {
  azp: "{token.client_id}",
  cid: "{token.client_id}",
  appid: "{token.client_id}",
  nbf: "{token.iat}",
  scp: "{token.scope}",
  uid: "{token.sub}",
  uti: "{token.jti}",
};

/** The names that the lab itself gives members. */
const ownMembers: readonly string[] = [
  ...["access_token", "token_type", "expires_in", "scope", "refresh_token", "id_token"],
  ...["issued_token_type", "authorization_details"],
];
const ownParameters: readonly string[] = ["code", "state", "iss"];
/** The claims that the lab has for users and tokens. */
const ownClaims: readonly string[] = [
  ...["iss", "sub", "aud", "exp", "iat", "jti", "nonce", "auth_time", "acr", "amr", "sid"],
  ...["at_hash", "c_hash", "client_id", "scope", "name", "given_name", "family_name", "nickname"],
  ...["middle_name", "preferred_username", "profile", "picture", "website", "email", "gender"],
  ...["email_verified", "birthdate", "zoneinfo", "locale", "address", "phone_number"],
  ...["phone_number_verified", "updated_at", "roles", "groups"],
];
/** Claims by which an ID token with the claims of its scopes is recognized. */
const profileClaims: readonly string[] = ["name", "email", "preferred_username", "picture"];

/** Returns what a recorded login says about a provider. */
export function findInLogin(login: RecordedLogin, origin: string, date: string): SourceFacts {
  const { authorization, tokens, userinfo } = login;
  const parts = [
    login.metadata ? [] : pathFacts(login),
    authorization ? authorizationFacts(authorization) : [],
    tokens ? tokenFacts(tokens) : [],
    tokens ? accessTokenFacts(tokens) : [],
    tokens?.idToken ? idTokenFacts(tokens.idToken.claims) : [],
    userinfo ? userinfoFacts(userinfo) : [],
    rotationFacts(login.rotates),
  ];
  return {
    source: "login",
    from: [`${origin}/`, `recorded login, read on ${date}`],
    facts: parts.flat(),
    missing: unplayedNames(login),
  };
}

function pathFacts({ endpoints, origin }: RecordedLogin): FoundFact[] {
  const urls = [...endpoints].map(([member, path]) => [member, origin + path]);
  const { paths } = endpointPlaces({ issuer: origin ?? "", ...Object.fromEntries(urls) });
  return [{ id: "paths", says: "The login used these paths.", plays: { paths } }];
}

function authorizationFacts(
  { status, hasPkce, parameters }: RecordedAuthorization,
): FoundFact[] {
  const facts: FoundFact[] = [];
  if (status === 302 || status === 303) {
    facts.push({
      id: "redirect",
      says: `Redirects have the status ${status}.`,
      plays: { redirectStatus: status },
    });
  }
  const set = valuesFor(parameters, responseValues);
  const unset = parameters.length > 0 && !parameters.includes("iss") ? ["iss"] : [];
  if (parameters.length > 0) {
    facts.push({
      id: "response",
      says: `The authorization response had: ${known(parameters, ownParameters, set)}.`,
      plays: { dialect: { authorizationResponse: { set, unset } } },
    });
  }
  if (!hasPkce) {
    facts.push({
      id: "pkce",
      says: "A client logged in without PKCE.",
      plays: { clientDefaults: { pkce: "optional" }, unknownClientPkce: "optional" },
    });
  }
  return facts;
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
    plays: { dialect: { accessToken: { ...shape, ...isOther && { header } } } },
  }];
}

function idTokenFacts(claims: readonly string[]): FoundFact[] {
  const shape = shapeOf(claims, idTokenValues);
  const hasProfile = claims.some((name) => profileClaims.includes(name));
  return [{
    id: "id_token",
    says: `An ID token had: ${known(claims, ownClaims, shape.set)}.`,
    plays: { ...hasProfile && { idTokenClaims: "by-scope" }, dialect: { idToken: shape } },
  }];
}

function userinfoFacts(names: readonly string[]): FoundFact[] {
  const keep = names.filter((name) => ownClaims.includes(name));
  const says = `Userinfo had: ${keep.join(", ")}.`;
  return [{ id: "userinfo", says, plays: { dialect: { userinfo: { keep } } } }];
}

function rotationFacts(rotates: boolean | undefined): FoundFact[] {
  if (rotates === undefined) return [];
  const says = `A refresh returned ${rotates ? "another" : "no other"} refresh token.`;
  return [{ id: "refresh", says, plays: { refreshTokens: rotates ? "rotate" : "keep" } }];
}

function shapeOf(
  claims: readonly string[],
  values: Readonly<Record<string, string>>,
): TokenShape {
  const keep = claims.filter((name) => ownClaims.includes(name));
  return { keep, set: valuesFor(claims, values) };
}

function valuesFor(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Names those of some names that the lab plays. */
function known(
  names: readonly string[],
  own: readonly string[],
  set: Readonly<Record<string, unknown>> = {},
): string {
  return names.filter((name) => own.includes(name) || Object.hasOwn(set, name)).join(", ");
}

/** What the recording has and the lab does not: names alone, since values may be secrets. */
function unplayedNames({ authorization, tokens, userinfo }: RecordedLogin): string[] {
  const accessToken = tokens?.accessToken;
  const claims = typeof accessToken === "object" ? accessToken.claims : [];
  const lists: Array<[what: string, names: readonly string[], played: readonly string[]]> = [
    [
      "The authorization response",
      authorization?.parameters ?? [],
      [...ownParameters, ...Object.keys(responseValues)],
    ],
    ["The token response", tokens?.members ?? [], ownMembers],
    ["Access tokens", claims, [...ownClaims, ...Object.keys(accessTokenValues)]],
    ["ID tokens", tokens?.idToken?.claims ?? [], [...ownClaims, ...Object.keys(idTokenValues)]],
    ["Userinfo", userinfo ?? [], ownClaims],
  ];
  return lists.flatMap(([what, names, played]) => {
    const others = names.filter((name) => !played.includes(name));
    const verb = what.endsWith("s") ? "have" : "has";
    return others.length > 0
      ? [`${what} ${verb} ${others.join(", ")}, whose values are not taken over.`]
      : [];
  });
}
