import { presenceRule } from "./form_rules.ts";
import type { Rule } from "./rule.ts";

const about = { see: "OAuth 2.1, section 3.2", parameter: "grant_type" } as const;

/** The requested grant type, and those of the server and of the client. */
interface GrantTypes {
  requested: string;
  supported: readonly string[];
  allowed: readonly string[];
}

export const grantTypeIsPresent: Rule<string | undefined> = presenceRule({
  ...about,
  advice: "Send the grant_type that belongs to the credential.",
});

export const grantTypeIsSupported: Rule<GrantTypes> = {
  ...about,
  id: "grant_type.supported",
  title: "The grant type is supported",
  error: "unsupported_grant_type",
  message: ({ supported }) => `The grant_type must be one of: ${supported.join(", ")}.`,
  // OAuth 2.1 has neither the password grant nor the implicit grant.
  advice: "Use a grant of the metadata: for users, the authorization code grant with PKCE.",
  holds: ({ requested, supported }) => supported.includes(requested),
  expected: () => "a grant type that the server supports",
  came: ({ requested }) => `'${requested}'`,
};

export const grantTypeIsAllowed: Rule<GrantTypes> = {
  ...about,
  id: "grant_type.allowed",
  title: "The client may use the grant type",
  error: "unauthorized_client",
  message: ({ requested }) => `This client may not use the grant '${requested}'.`,
  advice: "Use a grant that the client may use, or add this one to the client's grant types.",
  holds: ({ requested, allowed }) => allowed.includes(requested),
  expected: ({ allowed }) => allowed.join(" or "),
  came: ({ requested }) => requested,
};
