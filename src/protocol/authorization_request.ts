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
  requireParameter,
} from "./form_parameters.ts";
import {
  type InteractiveRequest,
  type Prompt,
  readMaxAge,
  readPrompt,
} from "./interactive_request.ts";
import { type ErrorCode, errorFactory, OAuthError } from "./oauth_error.ts";
import { readCodeChallenge } from "./pkce.ts";
import { readResponseMode, type ResponseTarget } from "./response_target.ts";

const unsupportedResponseType = errorFactory("unsupported_response_type");
const unauthorizedClient = errorFactory("unauthorized_client");
const invalidScope = errorFactory("invalid_scope", "OpenID Connect Core, section 11");
const invalidRequest = errorFactory(
  "invalid_request",
  "OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1",
);

/** Unsupported parameters and their errors (OpenID Connect Core, section 3.1.2.6). */
const unsupportedParameters: Record<string, ErrorCode> = {
  request: "request_not_supported",
  request_uri: "request_uri_not_supported",
  registration: "registration_not_supported",
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
  parameters: FormParameters,
  client: Client,
  responseTarget: ResponseTarget,
  rules: AccessRules & ClaimRules,
): AuthorizationRequest {
  checkRepeatedParameters(parameters);
  checkParameterLengths(parameters);
  checkUnsupportedParameters(parameters);
  checkResponseType(parameters, client);
  checkResponseMode(parameters.get("response_mode"), client);
  const prompt = readPrompt(parameters.get("prompt"));
  const access = readAccessRights(parameters, client, rules);
  const scope = withoutUnpromptedOfflineAccess(access.scope, prompt, client);
  const claims = readClaimsRequest(
    parameters.get("claims"),
    (claim, target) => mayNameClaim(client, claim, target, rules),
  );
  return {
    clientId: client.id,
    requestedBy: referenceTo(client),
    responseTarget,
    codeChallenge: readCodeChallenge(parameters, isPublic(client) || client.pkce === "required"),
    ...access,
    scope,
    prompt,
    maxAge: readMaxAge(parameters.get("max_age")) ?? client.defaultMaxAge,
    nonce: parameters.get("nonce"),
    dpopJkt: readDpopJkt(parameters.get("dpop_jkt")),
    loginHint: parameters.get("login_hint"),
    uiLocales: parameters.get("ui_locales"),
    acr: readRequestedAcr(parameters.get("acr_values"), claims, client),
    // Claims about the user are part of OpenID Connect only.
    claims: scope.includes("openid") ? claims : undefined,
  };
}

function checkUnsupportedParameters(parameters: FormParameters): void {
  for (const [name, code] of Object.entries(unsupportedParameters)) {
    if (parameters.get(name) !== undefined) {
      throw new OAuthError(code, `The parameter '${name}' is not supported.`);
    }
  }
}

function checkResponseType(parameters: FormParameters, client: Client): void {
  const see = "OAuth 2.1, section 4.1.1";
  if (requireParameter(parameters, "response_type", see) !== "code") {
    throw unsupportedResponseType("The response_type must be 'code'.", { see });
  }
  if (!client.grantTypes.includes("authorization_code")) {
    throw unauthorizedClient("This client may not use the authorization code grant.", { see });
  }
}

function checkResponseMode(responseMode: string | undefined, client: Client): void {
  if (responseMode === undefined) return;
  const parsed = readResponseMode(responseMode);
  if (parsed && client.responseModes.includes(parsed.mode)) return;
  throw invalidRequest(
    `The response_mode must be one of this client's: ${client.responseModes.join(", ")}.`,
    {
      hint: parsed &&
        `To allow it, add '${parsed.mode}' to the client's setting 'responseModes', ` +
          "or to 'response_modes' of a registered client.",
    },
  );
}

function readDpopJkt(text: string | undefined): string | undefined {
  if (text === undefined || isSha256(text)) return text;
  throw invalidRequest(
    "The dpop_jkt must be the SHA-256 thumbprint of a key: 43 characters of base64url.",
    { see: "RFC 9449, section 10" },
  );
}

/**
 * Removes `offline_access` unless the user is certain to see a consent page: because the prompt
 * demands it, or because this client's consent is never remembered (OpenID Connect Core, section
 * 11).
 */
function withoutUnpromptedOfflineAccess(
  scope: readonly string[],
  prompt: readonly Prompt[],
  client: Client,
): string[] {
  const isPrompted = prompt.includes("consent") || !mayRememberConsent(client);
  // With authorization details, a request may have no scope at all (RFC 9396, section 3.1).
  if (isPrompted || !scope.includes("offline_access")) return [...scope];
  const rest = scope.filter((token) => token !== "offline_access");
  if (rest.length > 0) return rest;
  throw invalidScope(
    "The scope 'offline_access' requires the prompt 'consent'. Without it, no scope is left.",
  );
}
