import { type Client, isPublic } from "../model/client.ts";
import { isSha256 } from "../util/hash.ts";
import { readRequestedAcr } from "./acr.ts";
import { readResponseMode, type ResponseTarget } from "./authorization_response.ts";
import { readClaimsRequest } from "./claims_request.ts";
import { mayNameClaim } from "./client_trust.ts";
import { checkRepeats, type FormParameters, required } from "./form_parameters.ts";
import type { InteractiveRequest } from "./interactive_request.ts";
import { readMaxAge } from "./max_age.ts";
import { type ErrorCode, errorFactory, OAuthError } from "./oauth_error.ts";
import { withoutUnaskedOfflineAccess } from "./offline_access.ts";
import { checkLengths } from "./parameter_lengths.ts";
import { readCodeChallenge } from "./pkce.ts";
import { readPrompt } from "./prompt.ts";
import { type AccessRules, readAccessRights } from "./requested_access.ts";

const unsupportedResponseType = errorFactory("unsupported_response_type");
const unauthorizedClient = errorFactory("unauthorized_client");
const invalidRequest = errorFactory(
  "invalid_request",
  "OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1",
);

/** What a client asks a person for by way of the browser, once every parameter has been found in order. */
export interface AuthorizationRequest extends InteractiveRequest {
  responseTarget: ResponseTarget;
  nonce?: string;
  /** The key that the code is bound to (RFC 9449, section 10). */
  dpopJkt?: string;
}

/** Checks the rest of a request whose client and redirect URI are trusted. */
export function readAuthorizationRequest(
  parameters: FormParameters,
  client: Client,
  responseTarget: ResponseTarget,
  rules: AccessRules,
): AuthorizationRequest {
  checkRepeats(parameters);
  checkLengths(parameters);
  checkUnsupported(parameters);
  checkResponseType(parameters, client);
  checkResponseMode(parameters.get("response_mode"), client);
  const prompt = readPrompt(parameters.get("prompt"));
  const access = readAccessRights(parameters, client, rules);
  const scope = withoutUnaskedOfflineAccess(access.scope, prompt, client);
  const claims = readClaimsRequest(
    parameters.get("claims"),
    (claim) => mayNameClaim(client, claim),
  );
  return {
    clientId: client.id,
    responseTarget,
    codeChallenge: readCodeChallenge(parameters, isPublic(client) || client.pkce === "required"),
    ...access,
    scope,
    prompt,
    maxAge: readMaxAge(parameters.get("max_age")) ?? client.defaultMaxAge,
    nonce: parameters.get("nonce"),
    dpopJkt: readDpopJkt(parameters.get("dpop_jkt")),
    loginHint: parameters.get("login_hint"),
    acr: readRequestedAcr(parameters.get("acr_values"), claims, client),
    // Without `openid` nobody is told anything about the person.
    claims: scope.includes("openid") ? claims : undefined,
  };
}

/** Parameters of extensions that this server does not have, and the error that each asks for (OpenID Connect Core, section 3.1.2.6). */
const unsupported: Record<string, ErrorCode> = {
  request: "request_not_supported",
  request_uri: "request_uri_not_supported",
  registration: "registration_not_supported",
};

function checkUnsupported(parameters: FormParameters): void {
  for (const [name, code] of Object.entries(unsupported)) {
    if (parameters.get(name) !== undefined) {
      throw new OAuthError(code, `The parameter '${name}' is not supported.`);
    }
  }
}

function checkResponseType(parameters: FormParameters, client: Client): void {
  const see = "OAuth 2.1, section 4.1.1";
  if (required(parameters, "response_type", see) !== "code") {
    throw unsupportedResponseType("The only response_type is 'code'.", { see });
  }
  if (!client.grantTypes.includes("authorization_code")) {
    throw unauthorizedClient("This client may not use the authorization code grant.", { see });
  }
}

function checkResponseMode(text: string | undefined, client: Client): void {
  const mode = readResponseMode(text);
  if (text === undefined || (mode && client.responseModes.includes(mode.carrier))) return;
  throw invalidRequest(
    `The response_mode is not one of those of this client: ${client.responseModes.join(", ")}.`,
    {
      hint: mode &&
        `The client's setting 'responseModes' allows it, if it lists '${mode.carrier}'; registered clients say 'response_modes'.`,
    },
  );
}

function readDpopJkt(text: string | undefined): string | undefined {
  if (text === undefined || isSha256(text)) return text;
  throw invalidRequest(
    "The dpop_jkt is a SHA-256 thumbprint of a key: 43 characters of base64url.",
    {
      see: "RFC 9449, section 10",
    },
  );
}
