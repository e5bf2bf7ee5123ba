import { type Client, referenceTo } from "../model/client.ts";
import { isSha256 } from "../util/crypto/hash.ts";
import { counted } from "../util/time/duration.ts";
import { type AccessRules, readAccessRights, readRequestedAccess } from "./access_request.ts";
import { readRequestedAcr } from "./acr.ts";
import { type ClaimRules, mayNameClaim } from "./claim_rules.ts";
import { readClaimsRequest } from "./claims_request.ts";
import { mayRememberConsent } from "./client_trust.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  requiresParameter,
} from "./form_parameters.ts";
import {
  type InteractiveRequest,
  type Prompt,
  readMaxAge,
  readPrompt,
} from "./interactive_request.ts";
import type { ErrorCode } from "./oauth_error.ts";
import { pkceRequirementOf, readCodeChallenge } from "./pkce.ts";
import { readResponseMode, type ResponseTarget } from "./response_target.ts";
import { absent, type ApplyRule, compared, requirePresent, type Rule, ruleSet } from "./rule.ts";
import { scopeRules } from "./scope.ts";

/** One rule for each parameter that is not supported, with its error. */
const unsupportedParameters: ReadonlyArray<Rule<string | undefined>> = [
  absenceRule("request", "request_not_supported"),
  absenceRule(
    "request_uri",
    "request_uri_not_supported",
    "Send plain parameters. If the server reads request objects by reference, register the URI.",
  ),
  absenceRule("registration", "registration_not_supported"),
];

function absenceRule(
  parameter: string,
  error: ErrorCode,
  fix = "Send the request as plain parameters.",
): Rule<string | undefined> {
  const about = { see: "OpenID Connect Core, section 3.1.2.6", parameter, error };
  const rules = ruleSet(parameter, about, {
    absent: {
      ...absent,
      title: `The request must not have the parameter '${parameter}', which is not supported`,
      fix,
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
    title: "The response_type must be 'code'",
  },
  allowed: {
    parameter: "client_id",
    error: "unauthorized_client",
    title: "The client must be allowed to use the authorization code grant",
    fix: "Add the grant 'authorization_code' to the client.",
    holds: ({ grantTypes }: Client) => grantTypes.includes("authorization_code"),
    expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
    received: () => "authorization_code",
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
    title: "The response_mode must be one that the client may use",
    fix: "Send another response_mode, or add this one to the client's response modes.",
  },
});

const aboutKey = {
  see: "RFC 9449, section 10",
  parameter: "dpop_jkt",
  error: "invalid_request",
} as const;

const dpopJktRules = ruleSet("dpop_jkt", aboutKey, {
  form: {
    title: "The dpop_jkt must be the SHA-256 thumbprint of a key: 43 characters of base64url",
    fix: "Send the JWK thumbprint of the key (RFC 7638).",
    holds: isSha256,
    received: (text) => counted(text.length, "character"),
  },
});

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
  const type = requirePresent(apply, responseTypeRules.present, parameters.get("response_type"));
  apply(responseTypeRules.code, { received: type, expected: "code" });
  apply(responseTypeRules.allowed, client);
  checkResponseMode(apply, parameters.get("response_mode"), client);
  const prompt = readPrompt(apply, parameters.get("prompt"));
  const access = readAccessRights(apply, readRequestedAccess(parameters, rules), client, rules);
  const scope = withoutUnpromptedOfflineAccess(apply, access.scope, prompt, client);
  const claims = readClaimsRequest(
    apply,
    parameters.get("claims"),
    (claim, target) => mayNameClaim(client, claim, target, rules),
  );
  return {
    clientId: client.id,
    requestedBy: referenceTo(client),
    responseTarget,
    codeChallenge: readCodeChallenge(apply, parameters, pkceRequirementOf(client), scope),
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
  const { mode = responseMode } = readResponseMode(responseMode) ?? {};
  apply(responseModeRules.allowed, { received: mode, expected: responseModes });
}

function readDpopJkt(apply: ApplyRule, text: string | undefined): string | undefined {
  if (text !== undefined) apply(dpopJktRules.form, text);
  return text;
}

/**
 * Removes `offline_access` unless the user is certain to see a consent page: because the prompt
 * demands it, or because this client's consent is never remembered; or the operator allowed it
 * (OpenID Connect Core, section 11).
 */
function withoutUnpromptedOfflineAccess(
  apply: ApplyRule,
  scope: readonly string[],
  prompt: readonly Prompt[],
  client: Client,
): string[] {
  const isPrompted = prompt.includes("consent") || !mayRememberConsent(client) ||
    client.consent === "skip";
  // With authorization details, a request may have no scope at all (RFC 9396, section 3.1).
  if (isPrompted || !scope.includes("offline_access")) return [...scope];
  const rest = scope.filter((token) => token !== "offline_access");
  apply(scopeRules.offline_access, rest);
  return rest;
}
