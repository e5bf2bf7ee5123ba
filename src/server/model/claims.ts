/** Statements about a user: name, email, … (OpenID Connect Core, section 5.1). */
export type Claims = Record<string, unknown>;

/** Where claims about a user can go. */
export type ClaimTarget = "id_token" | "access_token" | "userinfo";

/** The names of claims, with a list for each target. */
export interface ClaimTargets {
  /**
   * The claims in ID tokens.
   *
   * @format claim
   * @default none
   */
  idToken?: string[];
  /**
   * The claims in access tokens.
   *
   * @format claim
   * @default none
   */
  accessToken?: string[];
  /**
   * The claims in userinfo responses.
   *
   * @format claim
   * @default none
   */
  userinfo?: string[];
}

/**
 * The claims that the server sets itself. They describe a token or a sign-in, and no claim about a
 * user may replace them.
 */
export const serverClaims: ReadonlySet<string> = new Set(
  ("iss sub aud exp iat nbf jti nonce auth_time acr amr azp sid at_hash c_hash s_hash cnf act " +
    "may_act events client_id scope authorization_details exchanged_by token_introspection").split(
      " ",
    ),
);

/** The scopes of OpenID Connect, each with its text on the consent page. */
export const openIdScopes: Readonly<Record<string, string>> = {
  openid: "Know who you are",
  profile: "See your name, picture and other parts of your profile",
  email: "See your e-mail address",
  address: "See your postal address",
  phone: "See your telephone number",
  offline_access: "Keep this access while you are away, until you take it back",
};

/**
 * The scope of a server whose configuration names no scopes, and its claim: a list of names. It is
 * in no specification, but most applications know it.
 */
export const groupsScope = "groups";

/** The scopes of a server whose configuration names none. */
export const defaultScopes: Readonly<Record<string, string>> = {
  ...openIdScopes,
  [groupsScope]: "See your groups",
};

/** The claims that each scope requests (OpenID Connect Core, section 5.4). */
const claimsOfScopes: ReadonlyMap<string, readonly string[]> = new Map([
  ["profile", [
    "name",
    "family_name",
    "given_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
  ]],
  ["email", ["email", "email_verified"]],
  ["address", ["address"]],
  ["phone", ["phone_number", "phone_number_verified"]],
]);

/** The standard claims that are not texts, with the type of their values (section 5.1). */
const otherClaimTypes: ReadonlyMap<string, ClaimType> = new Map([
  ["email_verified", "boolean"],
  ["phone_number_verified", "boolean"],
  ["updated_at", "number"],
  ["address", "object"],
]);

/** The types of the values of standard claims. */
export type ClaimType = "string" | "boolean" | "number" | "object";

/** Returns the type of a standard claim. Claims of any other name may have any. */
export function claimType(name: string): ClaimType | undefined {
  const isStandard = [...claimsOfScopes.values()].some((names) => names.includes(name));
  return otherClaimTypes.get(name) ?? (isStandard ? "string" : undefined);
}

/** Whether the server sets a claim itself, so that it cannot be one about a user. */
export function isServerClaim(name: string): boolean {
  return serverClaims.has(name);
}

/** Which scopes are the server's own, besides those of OpenID Connect. */
export interface OwnScopes {
  /** Whether `groups` is, which opens the claim of that name: the configuration names no scopes. */
  ownGroups: boolean;
}

/** Returns the names of the claims that a scope requests, if the configuration adds none. */
export function claimNames(scope: readonly string[], { ownGroups }: OwnScopes): string[] {
  const standard = scope.flatMap((token) => claimsOfScopes.get(token) ?? []);
  return ownGroups && scope.includes(groupsScope) ? [...standard, groupsScope] : standard;
}

/** Whether a scope is for APIs: the server defines no meaning for it. */
export function isApiScope(token: string, { ownGroups }: OwnScopes): boolean {
  if (token === groupsScope) return !ownGroups;
  return token !== "openid" && token !== "offline_access" && !claimsOfScopes.has(token);
}
