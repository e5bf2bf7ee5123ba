import type { RegisteredClient } from "../../model/client.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { type ChallengePolicy, readPresentedToken } from "../../protocol/presented_token.ts";
import { matchesHash, sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";

const invalidToken = errorFactory("invalid_token");

const challengePolicy: ChallengePolicy = { schemes: ["Bearer"], algs: [] };

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/** A token that a request needs, and the error without it. */
interface RegistrationTokenKind {
  name: string;
  see: string;
  /** The message for a wrong token. */
  whenWrong: string;
}

const initialAccess: RegistrationTokenKind = {
  name: "initial access token",
  see: "RFC 7591, section 3",
  whenWrong: "The initial access token is not the one this server accepts for registration.",
};

const registrationAccess: RegistrationTokenKind = {
  name: "registration access token",
  see: "RFC 7592, section 3",
  whenWrong: "The token does not belong to this registration, or the client is gone.",
};

/**
 * Checks the initial access token if the server requires one. Returns whether it does (RFC 7591,
 * section 1.2).
 */
export async function checkInitialAccess(ctx: Context, request: Request): Promise<boolean> {
  const { initialAccessToken } = ctx.settings.registration;
  if (initialAccessToken === undefined) return false;
  await checkToken(request, await sha256(initialAccessToken), initialAccess);
  return true;
}

/**
 * Finds a client by its registration access token, which is valid for that client only (RFC 7592,
 * section 2).
 */
export async function findByRegistrationToken(
  ctx: Context,
  request: Request,
  id: string,
): Promise<RegistrationAccess> {
  const client = await ctx.records.clients.find(id);
  const registration = client?.disabled ? undefined : client?.registration;
  const token = await checkToken(request, registration?.tokenHash, registrationAccess);
  if (!client || !registration) throw registrationAccessDenied();
  return { client: { ...client, registration }, token };
}

/** Returns the error for a registration that is gone, or a token that does not belong to it. */
export function registrationAccessDenied(): OAuthError {
  return wrongToken(registrationAccess);
}

/**
 * Does the same work and fails in the same way, whether the client is unknown or the token is
 * wrong. Attempts are not counted: 256 bits cannot be guessed, and a limit would only help to lock
 * clients out.
 */
async function checkToken(
  request: Request,
  tokenHash: string | undefined,
  kind: RegistrationTokenKind,
): Promise<string> {
  const token = readToken(request, kind);
  if (await matchesHash(token, tokenHash)) return token;
  throw wrongToken(kind);
}

/**
 * Clients of this protocol read an error in JSON. The challenge names no error if the request had
 * no token (RFC 6750, section 3.1).
 */
function readToken(request: Request, { name, see }: RegistrationTokenKind): string {
  const authorization = request.headers.get("Authorization");
  if (authorization !== null && /^Bearer /i.test(authorization)) {
    return readPresentedToken(authorization, undefined, challengePolicy).token;
  }
  throw invalidToken(`Send the ${name} as a Bearer token.`, {
    see,
    challenges: [{ scheme: "Bearer", namesError: false }],
  });
}

function wrongToken({ whenWrong, see }: RegistrationTokenKind): OAuthError {
  return invalidToken(whenWrong, {
    see,
    challenges: [{ scheme: "Bearer", namesError: true }],
  });
}
