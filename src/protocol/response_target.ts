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

/** The parameters that decide where a response goes. None may be ambiguous. */
const targetParameters = ["client_id", "redirect_uri", "state", "request", "request_uri"];

/**
 * The supported values of `response_mode`: each mode plain, or signed as a JWT (JARM, section 2.3).
 */
export const responseModeValues: readonly string[] = [
  ...responseModes,
  ...responseModes.map((mode) => `${mode}.jwt`),
  "jwt",
];

/** Where an authorization response goes, and how. The client and its redirect URI are trusted. */
export interface ResponseTarget {
  redirectUri: string;
  mode: ResponseMode;
  state?: string | undefined;
  /** Makes the response a signed JWT (JARM). */
  signedFor?: SignedResponse;
  /** Whether the client is trusted. The redirect URI of any other could be an open redirect. */
  trusted: boolean;
  /** Whether the request forbids every page (`prompt=none`). */
  promptsNone: boolean;
}

/** How a signed authorization response is made. */
export interface SignedResponse {
  audience: string;
  /** Default: the algorithm of ID tokens. */
  alg?: SigningAlgorithm | undefined;
}

/** A parsed `response_mode`: `form_post.jwt` is carried by `form_post` and signed. */
export interface ParsedResponseMode {
  carrier: ResponseMode;
  isSigned: boolean;
}

/** Reads a `response_mode`. For codes, `jwt` is short for `query.jwt` (JARM, section 2.3.4). */
export function readResponseMode(text = "query"): ParsedResponseMode | undefined {
  const value = text === "jwt" ? "query.jwt" : text;
  const carrier = responseModes.find((mode) => value === mode || value === `${mode}.jwt`);
  return carrier && { carrier, isSigned: value !== carrier };
}

/** Reads the client_id. Its errors cannot be redirected yet (OAuth 2.1, section 4.1.2.1). */
export function readClientId(parameters: FormParameters): string {
  checkRepeatedParameters(parameters, targetParameters);
  return requireParameter(parameters, "client_id", "OAuth 2.1, section 4.1.1");
}

/** Decides where the authorization response goes. From here on, errors may go there too. */
export function readResponseTarget(parameters: FormParameters, client: Client): ResponseTarget {
  checkParameterLengths(parameters, ["redirect_uri", "state"]);
  const mode = readResponseMode(parameters.get("response_mode"));
  return {
    redirectUri: readRedirectUri(parameters, client),
    mode: mode && client.responseModes.includes(mode.carrier) ? mode.carrier : "query",
    state: readState(parameters),
    trusted: client.trusted,
    promptsNone: parameters.get("prompt")?.split(" ").includes("none") ?? false,
    ...mode?.isSigned &&
      { signedFor: { audience: client.id, alg: client.authorizationResponseAlg } },
  };
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
      hint: `It was '${redirectUri}'. Registered: ${client.redirectUris.join(" ")}.`,
    },
  );
}

function readState(parameters: FormParameters): string | undefined {
  const state = parameters.get("state");
  if (state === undefined || !hasControlCharacters(state)) return state;
  throw invalidRequest("The state contains control characters.", {
    see: "OAuth 2.1, section 12.5",
  });
}

/** Browsers rewrite line breaks in forms, so such a state could not be returned unchanged. */
function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}
