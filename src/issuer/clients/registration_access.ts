import type { RegisteredClient } from "../../model/client.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { type ChallengePolicy, readPresentedToken } from "../../protocol/presented_token.ts";
import { matchesHash, sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";

const invalidToken = errorFactory("invalid_token");

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/**
 * Checks the initial access token where the server asks for one; returns whether it does (RFC 7591,
 * section 1.2).
 */
export async function checkInitialAccess(ctx: Context, request: Request): Promise<boolean> {
  const { initialAccessToken } = ctx.settings.registration;
  if (initialAccessToken === undefined) return false;
  await checkToken(request, await sha256(initialAccessToken), initialAccess);
  return true;
}

/** Finds a client by its registration access token, which is good for this client alone (RFC 7592, section 2). */
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

/** A token that a request must bring, and what to say to one that does not. */
interface RegistrationTokenKind {
  name: string;
  see: string;
  /** Why one that came is refused. */
  whenWrong: string;
}

const initialAccess: RegistrationTokenKind = {
  name: "initial access token",
  see: "RFC 7591, section 3",
  whenWrong: "The initial access token is not the one by which this server lets clients register.",
};

const registrationAccess: RegistrationTokenKind = {
  name: "registration access token",
  see: "RFC 7592, section 3",
  whenWrong: "The token is not one for this registration, or the client is gone.",
};

/**
 * The same work and the same answer, whether there is no such client or the token is wrong. Tries are
 * not counted: nobody guesses 256 bits, and a limit would only help to keep the right ones out.
 */
async function checkToken(
  request: Request,
  tokenHash: string | undefined,
  wanted: RegistrationTokenKind,
): Promise<string> {
  const token = readToken(request, wanted);
  if (await matchesHash(token, tokenHash)) return token;
  throw wrongToken(wanted);
}

/**
 * Clients of this protocol read an error in JSON; the challenge names none where no token came (RFC
 * 6750, section 3.1).
 */
function readToken(request: Request, { name, see }: RegistrationTokenKind): string {
  const authorization = request.headers.get("Authorization");
  if (authorization !== null && /^Bearer /i.test(authorization)) {
    return readPresentedToken(authorization, undefined, challengePolicy).token;
  }
  const challenges = [{ scheme: "Bearer", namesError: false } as const];
  throw invalidToken(`Send the ${name}, as a Bearer token.`, {
    see,
    challenges,
  });
}

function wrongToken({ whenWrong, see }: RegistrationTokenKind): OAuthError {
  return invalidToken(whenWrong, {
    see,
    challenges: [{ scheme: "Bearer", namesError: true }],
  });
}

export function registrationAccessDenied(): OAuthError {
  return wrongToken(registrationAccess);
}

const challengePolicy: ChallengePolicy = { schemes: ["Bearer"], algs: [] };
