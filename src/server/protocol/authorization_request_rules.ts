import type { Client } from "../model/client.ts";
import { isSha256 } from "../util/crypto/hash.ts";
import { counted } from "../util/time/describe_span.ts";
import { requiresParameter } from "./form_rules.ts";
import type { ErrorCode } from "./oauth_error.ts";
import type { Rule } from "./rule.ts";
import { absent, compared, ruleSet } from "./rule_set.ts";

/** One rule for each parameter that is not supported, with its error. */
export const unsupportedParameters: ReadonlyArray<Rule<string | undefined>> = [
  absenceRule("request", "request_not_supported"),
  absenceRule("request_uri", "request_uri_not_supported"),
  absenceRule("registration", "registration_not_supported"),
];

function absenceRule(parameter: string, error: ErrorCode): Rule<string | undefined> {
  const about = { see: "OpenID Connect Core, section 3.1.2.6", parameter, error };
  const rules = ruleSet(parameter, about, {
    absent: {
      ...absent,
      must: `The request must not have the parameter '${parameter}', which is not supported`,
      fix: "Send the request as plain parameters.",
    },
  });
  return rules.absent;
}

const aboutResponseType = {
  see: "OAuth 2.1, section 4.1.1",
  parameter: "response_type",
  error: "invalid_request",
} as const;

export const responseTypeRules = ruleSet("response_type", aboutResponseType, {
  present: { ...requiresParameter("response_type"), fix: "Send response_type=code." },
  code: {
    ...compared,
    error: "unsupported_response_type",
    must: "The response_type must be 'code'",
  },
  allowed: {
    parameter: "client_id",
    error: "unauthorized_client",
    must: "The client must be allowed to use the authorization code grant",
    fix: "Add the grant 'authorization_code' to the client.",
    holds: ({ grantTypes }: Pick<Client, "grantTypes">) =>
      grantTypes.includes("authorization_code"),
    expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
    came: () => "authorization_code",
  },
});

const aboutResponseMode = {
  see: "OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1",
  parameter: "response_mode",
  error: "invalid_request",
} as const;

export const responseModeRules = ruleSet("response_mode", aboutResponseMode, {
  allowed: {
    ...compared,
    must: "The response_mode must be one that the client may use",
    fix: "Send another response_mode, or add this one to the client's response modes.",
  },
});

const aboutKey = {
  see: "RFC 9449, section 10",
  parameter: "dpop_jkt",
  error: "invalid_request",
} as const;

export const dpopJktRules = ruleSet("dpop_jkt", aboutKey, {
  form: {
    must: "The dpop_jkt must be the SHA-256 thumbprint of a key: 43 characters of base64url",
    fix: "Send the JWK thumbprint of the key (RFC 7638).",
    holds: isSha256,
    came: (text) => counted(text.length, "character"),
  },
});
