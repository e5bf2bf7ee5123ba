import { requiresParameter } from "./form_rules.ts";
import { compared, ruleSet } from "./rule.ts";

const about = {
  see: "OAuth 2.1, section 3.2",
  parameter: "grant_type",
  error: "invalid_request",
} as const;

export const grantTypeRules = ruleSet("grant_type", about, {
  present: requiresParameter("grant_type"),
  supported: {
    ...compared,
    error: "unsupported_grant_type",
    must: "The grant_type must be one that the server supports",
    message: (facts) => `The grant_type must be one of: ${compared.expected(facts)}.`,
    // OAuth 2.1 has neither the password grant nor the implicit grant.
    fix: "For users, use the authorization code grant with PKCE.",
    expected: () => "a grant type that the server supports",
  },
  allowed: {
    ...compared,
    error: "unauthorized_client",
    must: "The grant_type must be one that the client may use",
    fix: "Use another grant, or add this one to the client's grant types.",
  },
});
