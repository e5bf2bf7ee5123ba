import { type ResponseMode, responseModes } from "../model/client.ts";
import type { SigningAlgorithm } from "../model/signing.ts";

/** What a request may ask for: each way in the open, or signed as a JWT (JARM, section 2.3). */
export const responseModeValues: readonly string[] = [
  ...responseModes,
  ...responseModes.map((mode) => `${mode}.jwt`),
  "jwt",
];

/** Reads a `response_mode`. For codes, `jwt` is short for `query.jwt` (JARM, section 2.3.4). */
export function readResponseMode(
  text = "query",
): { carrier: ResponseMode; isSigned: boolean } | undefined {
  const wanted = text === "jwt" ? "query.jwt" : text;
  const carrier = responseModes.find((mode) => wanted === mode || wanted === `${mode}.jwt`);
  return carrier && { carrier, isSigned: wanted !== carrier };
}

/** Where an authorization response goes, once the client and its redirect URI are trusted. */
export interface ResponseTarget {
  redirectUri: string;
  mode: ResponseMode;
  state?: string;
  /** Where the response is to be signed: for whom, and how if not as everything else (JARM). */
  signedFor?: { audience: string; alg?: SigningAlgorithm };
  /** Whether the operator knows the client. A stranger's redirect URI must not make us send people wherever it likes. */
  trusted: boolean;
  /** Whether the person is to see nothing of it (`prompt=none`). */
  promptsNone: boolean;
}

/** The members of an authorization response, in the order in which they are sent. */
export type ResponseParameters = Record<string, string | undefined>;

/**
 * Adds the answer to the redirect URI, whose own query string stays as it is (OAuth 2.1, section 2.3).
 * The URI is never parsed and built anew: a parser would change the bytes that the client registered.
 */
export function responseLocation(
  to: Pick<ResponseTarget, "redirectUri" | "mode">,
  members: ResponseParameters,
): string {
  const answer = encodeMembers(members);
  if (to.mode === "fragment") return `${to.redirectUri}#${answer}`;
  return `${to.redirectUri}${queryJoint(to.redirectUri)}${answer}`;
}

function queryJoint(uri: string): string {
  if (!uri.includes("?")) return "?";
  return uri.endsWith("?") || uri.endsWith("&") ? "" : "&";
}

function encodeMembers(members: ResponseParameters): string {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join("&");
}
