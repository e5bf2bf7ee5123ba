/** Statements about a person: name, email, … (OpenID Connect Core, section 5.1). */
export type Claims = Record<string, unknown>;

/** The claims that each scope asks for (OpenID Connect Core, section 5.4). */
export const claimsOfScope: Record<string, readonly string[]> = {
  profile: [
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
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
};

/** Those of a person's claims that a scope lets a client see. */
export function claimsFor(scope: readonly string[], claims: Claims): Claims {
  const visible = scope.flatMap((token) => claimsOfScope[token] ?? []);
  return Object.fromEntries(visible.filter((name) => claims[name] !== undefined).map((name) => [name, claims[name]]));
}

/** A scope that opens something of an API, and nothing about a person. */
export function isApiScope(token: string): boolean {
  return token !== "openid" && token !== "offline_access" && !(token in claimsOfScope);
}
