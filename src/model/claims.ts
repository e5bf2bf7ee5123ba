/** Statements about a person: name, email, … (OpenID Connect Core, section 5.1). */
export type Claims = Record<string, unknown>;

/** The claims that each scope asks for (OpenID Connect Core, section 5.4). */
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

/** The names of the claims that a scope asks for. */
export function claimNames(scope: readonly string[]): string[] {
  return scope.flatMap((token) => claimsOfScopes.get(token) ?? []);
}

/** The scope that asks for a claim, where one does. */
export function scopeOfClaim(name: string): string | undefined {
  return [...claimsOfScopes].find(([, names]) => names.includes(name))?.[0];
}

/** Those of a person's claims that have one of the given names. */
export function pickClaims(claims: Claims, names: readonly string[]): Claims {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  );
}

/** A scope that opens something of an API, and nothing about a person. */
export function isApiScope(token: string): boolean {
  return token !== "openid" && token !== "offline_access" && !claimsOfScopes.has(token);
}
