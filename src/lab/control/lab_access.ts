import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { limitClientGuesses } from "../../server/issuer/limits/guess_limits.ts";
import { isWebOrigin, parseUrl } from "../../server/util/addresses/uri.ts";
import { matchesHash, sha256 } from "../../server/util/crypto/hash.ts";
import { LabError } from "../util/lab_error.ts";
import { describeAddresses, isLoopbackName, isOwnHost } from "../util/own_addresses.ts";

const minLength = 16;
const guessesPerMinute = 60;

/** The token that guards the interface of a lab over HTTP. */
export interface LabToken {
  /** Whether an Authorization header has the token. One network may be wrong 60 times a minute. */
  matches(authorization: string, sender: string | undefined): Promise<boolean>;
  /** Returns what a browser with this secret keeps in place of the token. */
  derive(secret: string): Promise<string>;
}

/** Returns why a text cannot be the token of a lab, or undefined. */
export function labTokenProblem(token: string): string | undefined {
  if (token.length >= minLength) return undefined;
  return `must have at least ${minLength} characters; create one with: openssl rand -hex 16`;
}

/**
 * Reads the token from a configuration. The clock is that of the machine, because a test may stop
 * the clock of the lab.
 */
export function readLabToken(token: string | undefined, now: () => number): LabToken | undefined {
  if (token === undefined) return undefined;
  const problem = labTokenProblem(token);
  if (problem) throw new LabError(`The labToken ${problem}.`);
  return createLabToken(token, now);
}

/** Why a request may not use the interface of a lab over HTTP. */
export interface AccessProblem {
  status: 401 | 403;
  description: string;
}

/** The lab that a request wants to use. */
export interface GuardedLab {
  addresses: readonly string[];
  token: LabToken | undefined;
  /** Whether pages of other programs on the machine of the browser may use it. */
  admitsLoopback?: boolean;
}

/**
 * Returns why a request may not use the interface, or undefined. Any web page can make a browser
 * send requests to localhost, and can point its host name at localhost. Neither may mint
 * tokens, so another origin and another host are rejected.
 */
export async function accessProblem(
  request: IncomingRequest,
  { addresses, token, admitsLoopback = false }: GuardedLab,
  sender: string | undefined,
): Promise<AccessProblem | undefined> {
  const origin = request.headers.get("Origin");
  const isAdmitted = origin === null || isOwnOrigin(origin, addresses) ||
    (admitsLoopback && isLoopbackOrigin(origin));
  if (!isAdmitted) {
    return { status: 403, description: `Pages of '${origin}' may not use the lab.` };
  }
  if (token) return await tokenProblem(request.headers.get("Authorization"), token, sender);
  const { hostname } = new URL(request.url);
  if (isOwnHost(hostname, addresses)) return undefined;
  return { status: 403, description: describeAddresses(hostname, addresses) };
}

function createLabToken(token: string, now: () => number): LabToken {
  const limits = limitClientGuesses({ now, perMinute: guessesPerMinute });
  const expected = sha256(`Bearer ${token}`);
  return {
    async matches(authorization, sender) {
      const compare = async () => await matchesHash(authorization, await expected) || undefined;
      return await limits.check({ name: "lab token", sender }, compare) ?? false;
    },
    derive: async (secret) => await sha256(`lab pages\n${secret}\n${token}`),
  };
}

function isOwnOrigin(origin: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => new URL(address).origin === origin);
}

function isLoopbackOrigin(origin: string): boolean {
  const url = isWebOrigin(origin) ? parseUrl(origin) : undefined;
  return url !== undefined && isLoopbackName(url.hostname);
}

async function tokenProblem(
  authorization: string | null,
  token: LabToken,
  sender: string | undefined,
): Promise<AccessProblem | undefined> {
  // A request without a token is not a guess: it uses up none of the sender's attempts.
  if (authorization !== null && await token.matches(authorization, sender)) return undefined;
  return { status: 401, description: "Send the lab's token: Authorization: Bearer TOKEN." };
}
