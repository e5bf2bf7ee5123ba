import type { Client } from "../model/client.ts";
import { referenceTo } from "../model/client_identity.ts";
import { type AccessRules, readAccessRights, readRequestedAccess } from "./access_request.ts";
import { readRequestedAcr } from "./acr.ts";
import {
  dpopJktRules,
  responseModeRules,
  responseTypeRules,
  unsupportedParameters,
} from "./authorization_request_rules.ts";
import { type ClaimRules, mayNameClaim } from "./claim_rules.ts";
import { readClaimsRequest } from "./claims_request.ts";
import { mayRememberConsent } from "./client_trust.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
} from "./form_parameters.ts";
import {
  type InteractiveRequest,
  type Prompt,
  readMaxAge,
  readPrompt,
} from "./interactive_request.ts";
import { readCodeChallenge, requiresPkce } from "./pkce.ts";
import { readResponseMode, type ResponseTarget } from "./response_target.ts";
import { type ApplyRule, requirePresent } from "./rule.ts";
import { scopeRules } from "./scope.ts";

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
  const type = requirePresent(apply, responseTypeRules.present, parameters.get("response_type"));
  apply(responseTypeRules.code, { came: type, expected: "code" });
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
    codeChallenge: readCodeChallenge(apply, parameters, requiresPkce(client)),
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
  apply(responseModeRules.allowed, { came: mode, expected: responseModes });
}

function readDpopJkt(apply: ApplyRule, text: string | undefined): string | undefined {
  if (text !== undefined) apply(dpopJktRules.form, text);
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
  apply(scopeRules.offline_access, rest);
  return rest;
}
