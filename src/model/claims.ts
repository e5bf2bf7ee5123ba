/** Statements about a user: name, email, … (OpenID Connect Core, section 5.1). */
export type Claims = Record<string, unknown>;

/** The scopes of OpenID Connect, with what the consent page says about them. */
export const openIdScopes: Readonly<Record<string, string>> = {
  openid: "Know who you are",
  profile: "See your name, picture and other parts of your profile",
  email: "See your e-mail address",
  address: "See your postal address",
  phone: "See your telephone number",
  offline_access: "Keep this access while you are away, until you take it back",
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

/** Returns the names of the claims that a scope requests. */
export function claimNames(scope: readonly string[]): string[] {
  return scope.flatMap((token) => claimsOfScopes.get(token) ?? []);
}

/** Returns the scope that requests a claim, or undefined. */
export function scopeOfClaim(name: string): string | undefined {
  return [...claimsOfScopes].find(([, names]) => names.includes(name))?.[0];
}

/** Returns the claims with the given names. */
export function pickClaims(claims: Claims, names: readonly string[]): Claims {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  );
}

/** Whether a scope is for APIs, and not one that OpenID Connect defines. */
export function isApiScope(token: string): boolean {
  return token !== "openid" && token !== "offline_access" && !claimsOfScopes.has(token);
}
