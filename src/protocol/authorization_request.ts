import type { WantedAcr } from "./acr.ts";
import { readWantedAcr } from "./acr.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import { readClaimsRequest } from "./claims_request.ts";
import type { Access, Offered } from "./access.ts";
import { readAccess } from "./access.ts";
import type { Client } from "./client.ts";
import { isPublic } from "./client.ts";
import type { ErrorCode } from "./oauth_error.ts";
import { OAuthError } from "./oauth_error.ts";
import { withoutUnaskedOfflineAccess } from "./offline_access.ts";
import type { Parameters } from "./parameters.ts";
import { refuseRepeats } from "./parameters.ts";
import { readCodeChallenge } from "./pkce.ts";
import type { Prompt } from "./prompt.ts";
import { readPrompt } from "./prompt.ts";
import { redirectUriMatches } from "./redirect_uri.ts";
import type { ReplyTo } from "./reply.ts";
import { readResponseMode } from "./reply.ts";

/** What a client asks a person for, once every parameter has been found in order. */
export interface AuthorizationRequest extends Access {
  clientId: string;
  replyTo: ReplyTo;
  codeChallenge?: string;
  nonce?: string;
  /** The key that the code is bound to (RFC 9449, section 10). */
  dpopJkt?: string;
  prompt: Prompt[];
  /** The oldest sign-in that will do, in seconds. */
  maxAge?: number;
  loginHint?: string;
  /** Whom the client takes to be signed in. */
  hint?: KnownAs;
  acr?: WantedAcr;
  claims?: ClaimsRequest;
}

/** A person, as a client knows them. */
export interface KnownAs {
  subject: string;
  clientId: string;
}

/** Parameters of extensions that this server does not have, and the error that each asks for (OpenID Connect Core, section 3.1.2.6). */
const unsupported: Record<string, ErrorCode> = {
  request: "request_not_supported",
  request_uri: "request_uri_not_supported",
  registration: "registration_not_supported",
};

/** The parameters that decide where an answer goes, or hold what does: none of them may be in doubt. */
const addressing = ["client_id", "redirect_uri", "state", "request", "request_uri"];

/** Which client a request names; until its redirect URI is known as well, every refusal is a page (OAuth 2.1, section 4.1.2.1). */
export function readClientId(parameters: Parameters): string {
  const doubtful = addressing.find((name) => parameters.repeated.has(name));
  if (doubtful) {
    throw new OAuthError("invalid_request", `The parameter '${doubtful}' was sent more than once.`, { see: "OAuth 2.1, section 3.1" });
  }
  const clientId = parameters.get("client_id");
  if (clientId === undefined) {
    throw new OAuthError("invalid_request", "The parameter 'client_id' is missing.", { see: "OAuth 2.1, section 4.1.1" });
  }
  return clientId;
}

/** Decides where the answer may go. From here on, errors may travel there too. */
export function readReplyTo(parameters: Parameters, client: Client): ReplyTo {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined) {
    throw new OAuthError("invalid_request", "The parameter 'redirect_uri' is missing; it is always needed here.", {
      see: "OpenID Connect Core, section 3.1.2.1",
    });
  }
  if (!client.redirectUris.some((registered) => redirectUriMatches(registered, redirectUri, client.native))) {
    throw new OAuthError("invalid_request", "The redirect_uri is not one that this client has registered, character by character.", {
      see: "OAuth 2.1, section 4.1.1",
      hint: `It was '${redirectUri}'; registered are: ${client.redirectUris.join(" ")}.`,
    });
  }
  const mode = readResponseMode(parameters.get("response_mode"));
  const state = parameters.get("state");
  if (state !== undefined && hasControlCharacters(state)) {
    throw new OAuthError("invalid_request", "The state has control characters in it.", { see: "OAuth 2.1, section 12.5" });
  }
  return {
    redirectUri,
    mode: mode && client.responseModes.includes(mode.carrier) ? mode.carrier : "query",
    state,
    trusted: client.trusted,
    silent: parameters.get("prompt")?.split(" ").includes("none") ?? false,
    ...mode?.isSigned && { signedFor: { audience: client.id, alg: client.authorizationResponseAlg } },
  };
}

/** Checks the rest of a request whose client and redirect URI are trusted. */
export function readAuthorizationRequest(
  parameters: Parameters,
  client: Client,
  replyTo: ReplyTo,
  offered: Offered,
): AuthorizationRequest {
  refuseRepeats(parameters);
  refuseUnsupported(parameters);
  checkResponseType(parameters.get("response_type"), client);
  checkResponseMode(parameters.get("response_mode"), client);
  const prompt = readPrompt(parameters.get("prompt"));
  const access = readAccess(parameters, client, offered);
  const scope = withoutUnaskedOfflineAccess(access.scope, prompt, client);
  const claims = readClaimsRequest(parameters.get("claims"), client.scopes);
  return {
    clientId: client.id,
    replyTo,
    codeChallenge: readCodeChallenge(
      parameters.get("code_challenge"),
      parameters.get("code_challenge_method"),
      isPublic(client) || client.pkce === "required",
    ),
    ...access,
    scope,
    prompt,
    maxAge: readMaxAge(parameters.get("max_age")) ?? client.defaultMaxAge,
    nonce: parameters.get("nonce"),
    dpopJkt: readDpopJkt(parameters.get("dpop_jkt")),
    loginHint: parameters.get("login_hint"),
    acr: readWantedAcr(parameters.get("acr_values"), claims, client),
    // Without `openid` nobody is told anything about the person.
    claims: scope.includes("openid") ? claims : undefined,
  };
}

/** Browsers change line ends in forms, so such a state could not be given back as it was. */
function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}

function refuseUnsupported(parameters: Parameters): void {
  for (const [name, code] of Object.entries(unsupported)) {
    if (parameters.get(name) !== undefined) throw new OAuthError(code, `The parameter '${name}' is not supported.`);
  }
}

function checkResponseType(type: string | undefined, client: Client): void {
  const see = "OAuth 2.1, section 4.1.1";
  if (type === undefined) throw new OAuthError("invalid_request", "The parameter 'response_type' is missing.", { see });
  if (type !== "code") throw new OAuthError("unsupported_response_type", "The only response_type is 'code'.", { see });
  if (!client.grantTypes.includes("authorization_code")) {
    throw new OAuthError("unauthorized_client", "This client may not use the authorization code grant.", { see });
  }
}

function checkResponseMode(text: string | undefined, client: Client): void {
  const mode = readResponseMode(text);
  if (text === undefined || (mode && client.responseModes.includes(mode.carrier))) return;
  throw new OAuthError("invalid_request", `The response_mode is not one of those of this client: ${client.responseModes.join(", ")}.`, {
    see: "OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1",
  });
}

/** Reads how old a sign-in may be at most (OpenID Connect Core, section 3.1.2.1). */
export function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw new OAuthError("invalid_request", "The max_age is a number of seconds.", { see: "OpenID Connect Core, section 3.1.2.1" });
  }
  return Number(text);
}

function readDpopJkt(text: string | undefined): string | undefined {
  if (text === undefined || /^[A-Za-z0-9_-]{43}$/.test(text)) return text;
  throw new OAuthError("invalid_request", "The dpop_jkt is a SHA-256 thumbprint of a key: 43 characters of base64url.", {
    see: "RFC 9449, section 10",
  });
}
