import type { Client } from "../model/client.ts";
import { isSha256 } from "../util/crypto/hash.ts";
import { presenceRule } from "./form_rules.ts";
import type { ErrorCode } from "./oauth_error.ts";
import type { ParsedResponseMode } from "./response_target.ts";
import type { Rule } from "./rule.ts";

/** One rule for each parameter that is not supported, with its error. */
export const unsupportedParameters: ReadonlyArray<Rule<string | undefined>> = [
  absenceRule("request", "request_not_supported"),
  absenceRule("request_uri", "request_uri_not_supported"),
  absenceRule("registration", "registration_not_supported"),
];

/** OpenID Connect Core, section 3.1.2.6. */
function absenceRule(parameter: string, error: ErrorCode): Rule<string | undefined> {
  return {
    id: `${parameter}.absent`,
    title: `The request does not have the parameter '${parameter}'`,
    see: "OpenID Connect Core, section 3.1.2.6",
    parameter,
    error,
    message: `The parameter '${parameter}' is not supported.`,
    advice: "Send the request as plain parameters.",
    holds: (value) => value === undefined,
  };
}

export const responseTypeIsPresent: Rule<string | undefined> = presenceRule({
  parameter: "response_type",
  see: "OAuth 2.1, section 4.1.1",
  advice: "Send response_type=code.",
});

export const responseTypeIsCode: Rule<string> = {
  id: "response_type.code",
  title: "The response type is 'code'",
  see: "OAuth 2.1, section 4.1.1",
  parameter: "response_type",
  error: "unsupported_response_type",
  message: "The response_type must be 'code'.",
  advice: "Send response_type=code.",
  holds: (type) => type === "code",
  expected: () => "response_type=code",
  came: (type) => `response_type=${type}`,
};

export const codeGrantIsAllowed: Rule<Pick<Client, "grantTypes">> = {
  id: "response_type.allowed",
  title: "The client may use the authorization code grant",
  see: "OAuth 2.1, section 4.1.1",
  parameter: "client_id",
  error: "unauthorized_client",
  message: "This client may not use the authorization code grant.",
  advice: "Add the grant 'authorization_code' to the client.",
  holds: ({ grantTypes }) => grantTypes.includes("authorization_code"),
  expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
  came: () => "authorization_code",
};

export const responseModeIsAllowed: Rule<
  { parsed: ParsedResponseMode | undefined; allowed: readonly string[] }
> = {
  id: "response_mode.allowed",
  title: "The client may use the response mode",
  see: "OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1",
  parameter: "response_mode",
  error: "invalid_request",
  message: ({ allowed }) =>
    `The response_mode must be one of this client's: ${allowed.join(", ")}.`,
  advice: "Send another response_mode, or add this one to the client's response modes.",
  holds: ({ parsed, allowed }) => parsed !== undefined && allowed.includes(parsed.mode),
  expected: ({ allowed }) => allowed.join(" or "),
  came: ({ parsed }) => parsed?.mode ?? "an unsupported mode",
};

export const dpopJktIsAThumbprint: Rule<string> = {
  id: "dpop_jkt.form",
  title: "The dpop_jkt is a SHA-256 thumbprint",
  see: "RFC 9449, section 10",
  parameter: "dpop_jkt",
  error: "invalid_request",
  message: "The dpop_jkt must be the SHA-256 thumbprint of a key: 43 characters of base64url.",
  advice: "Send the JWK thumbprint of the key (RFC 7638).",
  holds: isSha256,
  came: (text) => `${text.length} characters`,
};

export const someScopeIsLeft: Rule<{ rest: readonly string[] }> = {
  id: "scope.offline_access",
  title: "A scope is left without 'offline_access', or the prompt is 'consent'",
  see: "OpenID Connect Core, section 11",
  parameter: "scope",
  error: "invalid_scope",
  message:
    "The scope 'offline_access' requires the prompt 'consent'. Without it, no scope is left.",
  advice: "Send prompt=consent, or request another scope as well.",
  holds: ({ rest }) => rest.length > 0,
};
