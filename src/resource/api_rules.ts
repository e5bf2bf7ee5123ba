import { ruleSet } from "../server/protocol/rule.ts";

const about = {
  see: "RFC 6750, section 3.1",
  parameter: "Authorization",
  error: "invalid_token",
} as const;

const signIn = {
  see: "RFC 9470, section 3",
  error: "insufficient_user_authentication",
  fix: "Send the user to the authorization endpoint, with the parameters of the challenge.",
} as const;

/** The rules that only an API applies. */
export const apiRules = ruleSet("api", about, {
  token: {
    title: "The access token must be active, and meant for this API",
    message: "The access token is unknown, expired, revoked, or for a different audience.",
    fix: "Refresh the token, or request one for the resource of this API.",
  },
  // An unknown kind of binding must not be ignored.
  binding: {
    see: "RFC 9449, section 7",
    title: "An access token that is bound to a key must be bound by DPoP or to a certificate",
    holds: ({ isKnown }: { isKnown: boolean }) => isKnown,
  },
  scope: {
    error: "insufficient_scope",
    title: "The access token must have the scope that the API requires",
    message: ({ missing }) => `The access token must have the scope '${missing.join(" ")}'.`,
    fix: "Request this scope in an authorization request.",
    holds: ({ missing }: { missing: readonly string[] }) => missing.length === 0,
  },
  sign_in_age: {
    ...signIn,
    title: "The user must have signed in recently enough",
    message: ({ maxAge }) => `The user must have signed in within the last ${maxAge} seconds.`,
    holds: ({ age, maxAge }: { age: number; maxAge: number | undefined }) =>
      maxAge === undefined || age <= maxAge,
  },
  sign_in_acr: {
    ...signIn,
    title: "The 'acr' of the user's sign-in must be acceptable",
    message: ({ acrValues = [] }) =>
      `The 'acr' of the user's sign-in must be one of: ${acrValues.join(", ")}.`,
    holds: ({ acr, acrValues }: { acr: unknown; acrValues: readonly string[] | undefined }) =>
      !acrValues || acrValues.some((value) => value === acr),
  },
});
