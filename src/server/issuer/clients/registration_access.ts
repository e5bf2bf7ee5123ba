import type { Client, RegisteredClient } from "../../model/client.ts";
import { readPresentedToken } from "../../protocol/presented_token.ts";
import { requireValue, type Rule } from "../../protocol/rule.ts";
import type { ChallengePolicy } from "../../protocol/token_challenges.ts";
import { matchesHash, sha256 } from "../../util/crypto/hash.ts";
import type { RequestContext } from "../context.ts";

const challengePolicy: ChallengePolicy = { schemes: ["Bearer"], algs: [] };

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/** What a request needs in order to read or write registrations. */
export interface RegistrationTokenRules {
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

export const initialAccess = rulesFor({
  id: "initial_access",
  name: "initial access token",
  see: "RFC 7591, section 3",
  message: "The initial access token is not the one that this server accepts.",
  advice: "Send the initial access token of this server's configuration.",
});

export const registrationAccess = rulesFor({
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
export async function checkInitialAccess(ctx: RequestContext): Promise<boolean> {
  const { initialAccessToken } = ctx.settings.registration;
  if (initialAccessToken === undefined) return false;
  const token = await readToken(ctx, initialAccess);
  ctx.apply(initialAccess.isRight, {
    isRight: await matchesHash(token, await sha256(initialAccessToken)),
  });
  return true;
}

/**
 * Finds a client by its registration access token, which is valid for that client only (RFC 7592,
 * section 2).
 */
export async function findByRegistrationToken(
  ctx: RequestContext,
  id: string,
): Promise<RegistrationAccess> {
  const client = registeredClient(await ctx.records.clients.find(id));
  const token = await readToken(ctx, registrationAccess);
  // The same work, whether the client is unknown or the token is wrong. Attempts are not counted:
  // 256 bits cannot be guessed, and a limit would only help to lock clients out.
  const isRight = await matchesHash(token, client?.registration.tokenHash);
  return {
    client: requireValue(ctx.apply, registrationAccess.isRight, { isRight }, client),
    token,
  };
}

/** Returns a client that manages its registration, unless it is disabled. */
export function registeredClient(client: Client | undefined): RegisteredClient | undefined {
  if (!client?.registration || client.disabled) return undefined;
  return { ...client, registration: client.registration };
}

/** Reads the token of a request, which must be a Bearer token. */
async function readToken(
  ctx: RequestContext,
  { isPresent }: RegistrationTokenRules,
): Promise<string> {
  const authorization = ctx.request.headers.get("Authorization");
  ctx.apply(isPresent, { hasToken: authorization !== null && /^Bearer /i.test(authorization) });
  const { token } = await readPresentedToken(ctx.apply, authorization, undefined, challengePolicy);
  return token;
}
