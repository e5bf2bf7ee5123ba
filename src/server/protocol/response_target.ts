import type { Client } from "../model/client.ts";
import { type ResponseMode, responseModes } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  type FormParameters,
  requiresParameter,
} from "./form_parameters.ts";
import { isRegistered } from "./redirect_uri.ts";
import { type ApplyRule, requirePresent, requireValue, ruleSet } from "./rule.ts";

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
 * that it registered, or that what wraps the server vouched for.
 */
export interface ResponseTarget {
  redirectUri: string;
  mode: ResponseMode;
  state?: string | undefined;
  /** How to sign the response; undefined if it is not signed. */
  signing?: ResponseSigning | undefined;
  /** Whether the client is trusted. Errors to an untrusted one would make an open redirect. */
  trusted: boolean;
  /** Whether what wraps the server vouched for the redirect URI: the client did not register it. */
  isVouchedFor?: true | undefined;
  /** Whether the request has `prompt=none`: no page may be shown. */
  hasPromptNone: boolean;
}

/** An authorization request whose redirect URI its client did not register. */
export interface UnregisteredRedirect {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  codeChallenge: string | undefined;
}

/** Vouches for the redirect URI of a request, instead of its client. */
export type VouchForRedirect = (request: UnregisteredRedirect) => boolean;

/** How to sign an authorization response (JARM, section 2.2). */
export interface ResponseSigning {
  audience: string;
  /** @default the algorithm of ID tokens */
  alg?: SigningAlgorithm | undefined;
}

const about = { see: "OAuth 2.1, section 4.1.1", error: "invalid_request" } as const;

const clientIdRules = ruleSet("client_id", about, {
  present: requiresParameter("client_id"),
});

/** The redirect URI of a request, and those of its client. */
interface RequestedRedirectUri {
  redirectUri: string | undefined;
  client: Client;
  isVouchedFor: boolean;
}

export const redirectUriRules = ruleSet("redirect_uri", { ...about, parameter: "redirect_uri" }, {
  present: {
    ...requiresParameter("redirect_uri"),
    see: "OpenID Connect Core, section 3.1.2.1",
    fix: "Send one of the redirect URIs of the client.",
    holds: ({ redirectUri }: RequestedRedirectUri) => redirectUri !== undefined,
    expected: describeRegistered,
    received: ({ redirectUri }) => redirectUri ?? "none",
  },
  registered: {
    title: "The redirect_uri must be identical to one that the client registered",
    fix: "Send a redirect_uri of the client exactly as registered (no wildcards), or add this " +
      "one to the client: its setting is 'redirectUris'. Demo clients get it by the option " +
      "--redirect-uri URI.",
    holds: ({ redirectUri = "", client, isVouchedFor }: RequestedRedirectUri) =>
      isVouchedFor || isRegistered(client, redirectUri),
    expected: describeRegistered,
    received: ({ redirectUri }) => redirectUri,
  },
});

function describeRegistered({ client }: RequestedRedirectUri): string {
  return client.redirectUris.join(" or ") || "none, because it registered none";
}

const aboutState = { ...about, see: "OAuth 2.1, section 12.5", parameter: "state" } as const;

const stateRules = ruleSet("state", aboutState, {
  text: {
    title: "The state must not contain control characters",
    fix: "Encode the state, for example as base64url.",
    holds: (state: string | undefined) => state === undefined || !hasControlCharacters(state),
  },
});

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
export function readClientId(apply: ApplyRule, parameters: FormParameters): string {
  checkRepeatedParameters(apply, parameters, { names: targetParameters });
  return requirePresent(apply, clientIdRules.present, parameters.get("client_id"));
}

/** Decides where the authorization response goes. Once it returns, errors may go there too. */
export function readResponseTarget(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  vouch: VouchForRedirect = () => false,
): ResponseTarget {
  // Those of a request object were not checked yet.
  checkRepeatedParameters(apply, parameters, { names: targetParameters });
  checkParameterLengths(apply, parameters, ["redirect_uri", "state"]);
  const parsed = readResponseMode(parameters.get("response_mode"));
  return {
    ...readRedirectUri(apply, parameters, client, vouch),
    mode: allowedMode(parsed, client),
    state: readState(apply, parameters.get("state")),
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

function readRedirectUri(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  vouch: VouchForRedirect,
): Pick<ResponseTarget, "redirectUri" | "isVouchedFor"> {
  const text = parameters.get("redirect_uri");
  const facts = { redirectUri: text, client, isVouchedFor: false };
  const redirectUri = requireValue(apply, redirectUriRules.present, facts, text);
  const isVouchedFor = !isRegistered(client, redirectUri) && vouch({
    clientId: client.id,
    redirectUri,
    state: parameters.get("state"),
    codeChallenge: parameters.get("code_challenge"),
  });
  apply(redirectUriRules.registered, { ...facts, isVouchedFor });
  return { redirectUri, ...isVouchedFor && { isVouchedFor } };
}

/**
 * Reads the state. Browsers rewrite line breaks in forms, so a state with control characters might
 * not return to the client unchanged.
 */
function readState(apply: ApplyRule, state: string | undefined): string | undefined {
  apply(stateRules.text, state);
  return state;
}

function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}
