import { type Client, isPublic } from "../model/client.ts";
import { referenceTo } from "../model/client_identity.ts";
import { isSha256 } from "../util/hash.ts";
import { type AccessRules, readAccessRights } from "./access_request.ts";
import { readRequestedAcr } from "./acr.ts";
import { type ClaimRules, mayNameClaim } from "./claim_rules.ts";
import { readClaimsRequest } from "./claims_request.ts";
import { mayRememberConsent } from "./client_trust.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  presenceRule,
} from "./form_parameters.ts";
import {
  type InteractiveRequest,
  type Prompt,
  readMaxAge,
  readPrompt,
} from "./interactive_request.ts";
import type { ErrorCode } from "./oauth_error.ts";
import { readCodeChallenge } from "./pkce.ts";
import {
  type ParsedResponseMode,
  readResponseMode,
  type ResponseTarget,
} from "./response_target.ts";
import { type ApplyRule, requirePresent, type Rule } from "./rule.ts";

/** One rule for each parameter that is not supported, with its error. */
const unsupportedParameters: ReadonlyArray<Rule<string | undefined>> = [
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

const responseTypeIsPresent = presenceRule({
  parameter: "response_type",
  see: "OAuth 2.1, section 4.1.1",
  advice: "Send response_type=code.",
});

const responseTypeIsCode: Rule<string> = {
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

const codeGrantIsAllowed: Rule<Pick<Client, "grantTypes">> = {
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

/** The parsed response mode, and the modes that the client may use. */
interface RequestedMode {
  parsed: ParsedResponseMode | undefined;
  allowed: readonly string[];
}

const responseModeIsAllowed: Rule<RequestedMode> = {
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

const dpopJktIsAThumbprint: Rule<string> = {
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

const someScopeIsLeft: Rule<{ rest: readonly string[] }> = {
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

/** A validated authorization request. */
export interface AuthorizationRequest extends InteractiveRequest {
  responseTarget: ResponseTarget;
  nonce?: string | undefined;
  /** The thumbprint of the key that the code is bound to (RFC 9449, section 10). */
  dpopJkt?: string | undefined;
}

/** Reads the rest of a request whose client and redirect URI are checked already. */
export function readAuthorizationRequest(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  responseTarget: ResponseTarget,
  rules: AccessRules & ClaimRules,
): AuthorizationRequest {
  checkRepeatedParameters(apply, parameters);
  checkParameterLengths(apply, parameters);
  for (const rule of unsupportedParameters) apply(rule, parameters.get(rule.parameter ?? ""));
  apply(
    responseTypeIsCode,
    requirePresent(apply, responseTypeIsPresent, parameters.get("response_type")),
  );
  apply(codeGrantIsAllowed, client);
  checkResponseMode(apply, parameters.get("response_mode"), client);
  const prompt = readPrompt(apply, parameters.get("prompt"));
  const access = readAccessRights(apply, parameters, client, rules);
  const scope = withoutUnpromptedOfflineAccess(apply, access.scope, prompt, client);
  const claims = readClaimsRequest(
    apply,
    parameters.get("claims"),
    (claim, target) => mayNameClaim(client, claim, target, rules),
  );
  const needsChallenge = isPublic(client) || client.pkce === "required";
  return {
    clientId: client.id,
    requestedBy: referenceTo(client),
    responseTarget,
    codeChallenge: readCodeChallenge(apply, parameters, needsChallenge),
    ...access,
    scope,
    prompt,
    maxAge: readMaxAge(apply, parameters.get("max_age")) ?? client.defaultMaxAge,
    nonce: parameters.get("nonce"),
    dpopJkt: readDpopJkt(apply, parameters.get("dpop_jkt")),
    loginHint: parameters.get("login_hint"),
    uiLocales: parameters.get("ui_locales"),
    acr: readRequestedAcr(parameters.get("acr_values"), claims, client),
    // Claims about the user are part of OpenID Connect only.
    claims: scope.includes("openid") ? claims : undefined,
  };
}

function checkResponseMode(
  apply: ApplyRule,
  responseMode: string | undefined,
  { responseModes }: Client,
): void {
  if (responseMode === undefined) return;
  apply(responseModeIsAllowed, { parsed: readResponseMode(responseMode), allowed: responseModes });
}

function readDpopJkt(apply: ApplyRule, text: string | undefined): string | undefined {
  if (text !== undefined) apply(dpopJktIsAThumbprint, text);
  return text;
}

/**
 * Removes `offline_access` unless the user is certain to see a consent page: because the prompt
 * demands it, or because this client's consent is never remembered (OpenID Connect Core, section
 * 11).
 */
function withoutUnpromptedOfflineAccess(
  apply: ApplyRule,
  scope: readonly string[],
  prompt: readonly Prompt[],
  client: Client,
): string[] {
  const isPrompted = prompt.includes("consent") || !mayRememberConsent(client);
  // With authorization details, a request may have no scope at all (RFC 9396, section 3.1).
  if (isPrompted || !scope.includes("offline_access")) return [...scope];
  const rest = scope.filter((token) => token !== "offline_access");
  apply(someScopeIsLeft, { rest });
  return rest;
}
