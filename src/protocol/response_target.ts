import type { Client } from "../model/client.ts";
import { type ResponseMode, responseModes } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  requireParameter,
} from "./form_parameters.ts";
import { errorFactory } from "./oauth_error.ts";
import { redirectUriMatches } from "./redirect_uri.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 3.1.2.1");

/** The parameters that decide where a response goes. None may be repeated. */
const targetParameters = ["client_id", "redirect_uri", "state", "request", "request_uri"];

/**
 * The supported values of `response_mode`: each mode, each mode signed as a JWT, and `jwt` (JARM,
 * section 2.3).
 */
export const responseModeValues: readonly string[] = [
  ...responseModes,
  ...responseModes.map((mode) => `${mode}.jwt`),
  "jwt",
];

/**
 * Where an authorization response goes, and how. The client is known, and the redirect URI is one
 * that it registered.
 */
export interface ResponseTarget {
  redirectUri: string;
  mode: ResponseMode;
  state?: string | undefined;
  /** How to sign the response; undefined if it is not signed. */
  signing?: ResponseSigning | undefined;
  /** Whether the client is trusted. Errors to an untrusted one would make an open redirect. */
  trusted: boolean;
  /** Whether the request has `prompt=none`: no page may be shown. */
  hasPromptNone: boolean;
}

/** How to sign an authorization response (JARM, section 2.2). */
export interface ResponseSigning {
  audience: string;
  /** @default the algorithm of ID tokens */
  alg?: SigningAlgorithm | undefined;
}

/** A parsed `response_mode`: `form_post.jwt` is the mode `form_post`, signed. */
export interface ParsedResponseMode {
  mode: ResponseMode;
  isSigned: boolean;
}

/**
 * Reads a `response_mode`, or returns undefined if it is not supported. With `response_type=code`,
 * `jwt` means `query.jwt` (JARM, section 2.3.4).
 */
export function readResponseMode(responseMode = "query"): ParsedResponseMode | undefined {
  const fullName = responseMode === "jwt" ? "query.jwt" : responseMode;
  const mode = responseModes.find((each) => fullName === each || fullName === `${each}.jwt`);
  return mode && { mode, isSigned: fullName !== mode };
}

/**
 * Reads the client_id. Errors here cannot be redirected, because no redirect URI is known yet
 * (OAuth 2.1, section 4.1.2.1).
 */
export function readClientId(parameters: FormParameters): string {
  checkRepeatedParameters(parameters, targetParameters);
  return requireParameter(parameters, "client_id", "OAuth 2.1, section 4.1.1");
}

/** Decides where the authorization response goes. Once it returns, errors may go there too. */
export function readResponseTarget(parameters: FormParameters, client: Client): ResponseTarget {
  checkParameterLengths(parameters, ["redirect_uri", "state"]);
  const parsed = readResponseMode(parameters.get("response_mode"));
  return {
    redirectUri: readRedirectUri(parameters, client),
    mode: allowedMode(parsed, client),
    state: readState(parameters),
    trusted: client.trusted,
    hasPromptNone: parameters.get("prompt")?.split(" ").includes("none") ?? false,
    signing: parsed?.isSigned
      ? { audience: client.id, alg: client.authorizationResponseAlg }
      : undefined,
  };
}

/**
 * Returns the mode of the response. If the requested one is not supported or not allowed,
 * `readAuthorizationRequest` throws an error, which goes into the query.
 */
function allowedMode(parsed: ParsedResponseMode | undefined, client: Client): ResponseMode {
  if (!parsed || !client.responseModes.includes(parsed.mode)) return "query";
  return parsed.mode;
}

function readRedirectUri(parameters: FormParameters, client: Client): string {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined) {
    throw invalidRequest(
      "The parameter 'redirect_uri' is missing. This server always requires it.",
    );
  }
  const isRegistered = client.redirectUris.some((registered) =>
    redirectUriMatches(registered, redirectUri, client.native)
  );
  if (isRegistered) return redirectUri;
  throw invalidRequest(
    "The redirect_uri must be identical to one that the client registered.",
    {
      see: "OAuth 2.1, section 4.1.1",
      hint: `Received: '${redirectUri}'. Registered: ${client.redirectUris.join(" ")}.`,
    },
  );
}

/**
 * Reads the state. Browsers rewrite line breaks in forms, so a state with control characters might
 * not return to the client unchanged.
 */
function readState(parameters: FormParameters): string | undefined {
  const state = parameters.get("state");
  if (state === undefined || !hasControlCharacters(state)) return state;
  throw invalidRequest("The state contains control characters.", {
    see: "OAuth 2.1, section 12.5",
  });
}

function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}
