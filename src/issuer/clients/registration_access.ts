import type { RegisteredClient } from "../../model/client.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import { readPresentedToken } from "../../protocol/presented_token.ts";
import { brokenRule, type Rule } from "../../protocol/rule.ts";
import type { ChallengePolicy } from "../../protocol/token_challenges.ts";
import { matchesHash, sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";

const challengePolicy: ChallengePolicy = { schemes: ["Bearer"], algs: [] };

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/** What a request needs in order to read or write registrations. */
interface RegistrationTokenRules {
  isPresent: Rule<{ hasToken: boolean }>;
  isRight: Rule<{ isRight: boolean }>;
}

/** A kind of token, and what sentences say of it. */
interface RegistrationTokenKind {
  id: string;
  name: string;
  see: string;
  message: string;
  advice: string;
}

const initialAccess = rulesFor({
  id: "initial_access",
  name: "initial access token",
  see: "RFC 7591, section 3",
  message: "The initial access token is not the one that this server accepts.",
  advice: "Send the initial access token of this server's configuration.",
});

const registrationAccess = rulesFor({
  id: "registration_access",
  name: "registration access token",
  see: "RFC 7592, section 3",
  message: "The token does not belong to this registration, or the client no longer exists.",
  advice: "Send the registration_access_token of this client's registration.",
});

/** The challenge names no error if the request had no token (RFC 6750, section 3.1). */
function rulesFor(
  { id, name, see, message, advice }: RegistrationTokenKind,
): RegistrationTokenRules {
  const about = { see, advice, parameter: "Authorization", error: "invalid_token" } as const;
  return {
    isPresent: {
      ...about,
      id: `${id}.present`,
      title: `The request has the ${name}`,
      message: `Send the ${name} as a Bearer token.`,
      details: { challenges: [{ scheme: "Bearer", namesError: false }] },
      holds: ({ hasToken }) => hasToken,
    },
    isRight: {
      ...about,
      id: `${id}.right`,
      title: `The ${name} is valid`,
      message,
      details: { challenges: [{ scheme: "Bearer", namesError: true }] },
      holds: ({ isRight }) => isRight,
    },
  };
}

/**
 * Checks the initial access token if the server requires one. Returns whether it does (RFC 7591,
 * section 1.2).
 */
export async function checkInitialAccess(ctx: Context, request: Request): Promise<boolean> {
  const { initialAccessToken } = ctx.settings.registration;
  if (initialAccessToken === undefined) return false;
  await checkToken(ctx, request, await sha256(initialAccessToken), initialAccess);
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
  const token = await checkToken(ctx, request, registration?.tokenHash, registrationAccess);
  if (!client || !registration) throw registrationAccessDenied();
  return { client: { ...client, registration }, token };
}

/** Returns the error for a registration that is gone, or a token that does not belong to it. */
export function registrationAccessDenied(): OAuthError {
  return brokenRule(registrationAccess.isRight, { isRight: false });
}

/**
 * Does the same work and fails in the same way, whether the client is unknown or the token is
 * wrong. Attempts are not counted: 256 bits cannot be guessed, and a limit would only help to lock
 * clients out.
 */
async function checkToken(
  ctx: Context,
  request: Request,
  tokenHash: string | undefined,
  { isPresent, isRight }: RegistrationTokenRules,
): Promise<string> {
  const authorization = request.headers.get("Authorization");
  ctx.apply(isPresent, { hasToken: authorization !== null && /^Bearer /i.test(authorization) });
  const policy = challengePolicy;
  const { token } = await readPresentedToken(ctx.apply, authorization, undefined, policy);
  ctx.apply(isRight, { isRight: await matchesHash(token, tokenHash) });
  return token;
}
