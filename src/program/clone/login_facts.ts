import { endpointPlaces } from "./endpoint_places.ts";
import type { FoundFact, SourceFacts } from "./found_fact.ts";
import type { RecordedAuthorization, RecordedLogin } from "./recorded_login.ts";
import {
  accessTokenValues,
  findInTokens,
  idTokenValues,
  known,
  ownClaims,
  valuesFor,
} from "./token_facts.ts";

/** The values that a lab gives parameters that only other servers have. */
const responseValues: Readonly<Record<string, string>> = {
  scope: "{scope}",
  session_state: "{uuid:random}",
};

/** The names that the lab itself gives members. */
const ownMembers: readonly string[] = [
  ...["access_token", "token_type", "expires_in", "scope", "refresh_token", "id_token"],
  ...["issued_token_type", "authorization_details"],
];

/** Claims that only the scopes profile and email have. */
const profileClaims: readonly string[] = ["name", "email", "preferred_username", "picture"];

const ownParameters: readonly string[] = ["code", "state", "iss"];

/** Returns what a recorded login says about a provider. */
export function findInLogin(login: RecordedLogin, origin: string, date: string): SourceFacts {
  const { authorization, tokens } = login;
  const parts = [
    login.metadata ? [] : pathFacts(login),
    authorization ? authorizationFacts(authorization) : [],
    tokens ? findInTokens(tokens, authorization?.scopes ?? []) : [],
    profileFacts(login),
    offlineFacts(login),
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

/** A login without a scope for such claims shows nothing. */
function profileFacts({ tokens, userinfo = [] }: RecordedLogin): FoundFact[] {
  const inIdToken = hasProfile(tokens?.idToken?.claims ?? []);
  if (tokens?.idToken === undefined || !(inIdToken || hasProfile(userinfo))) return [];
  return [{
    id: "profile",
    says: `Claims about the user are ${inIdToken ? "in ID tokens, too" : "in userinfo alone"}.`,
    plays: { idTokenClaims: inIdToken ? "by-scope" : "minimal" },
  }];
}

/** A login without a refresh token does not show whether the scope is all that it lacked. */
function offlineFacts({ authorization, tokens }: RecordedLogin): FoundFact[] {
  const hasNone = tokens?.members.includes("refresh_token") === false;
  if (!hasNone || authorization?.scopes.includes("offline_access") !== false) return [];
  return [{
    id: "offline",
    says: "A login without the scope offline_access got no refresh token.",
    plays: { dialect: { refreshTokens: { scope: "offline_access" } } },
    isUncertain: true,
  }];
}

function hasProfile(claims: readonly string[]): boolean {
  return claims.some((name) => profileClaims.includes(name));
}

function rotationFacts(rotates: boolean | undefined): FoundFact[] {
  if (rotates === undefined) return [];
  const says = `A refresh returned ${rotates ? "another" : "no other"} refresh token.`;
  return [{ id: "refresh", says, plays: { refreshTokens: rotates ? "rotate" : "keep" } }];
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
