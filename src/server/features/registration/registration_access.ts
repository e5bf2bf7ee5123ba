import type { Context, RequestContext } from "../../issuer/context.ts";
import { withLock } from "../../issuer/records/lock.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client, RegisteredClient } from "../../model/client.ts";
import { type ChallengePolicy, readPresentedToken } from "../../protocol/presented_token.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { matchesHash, sha256 } from "../../util/crypto/hash.ts";
import { registrationParts } from "./registration_offers.ts";
import { policyOf } from "./registration_policy.ts";

const challengePolicy: ChallengePolicy = { schemes: ["Bearer"], algs: [] };

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/** The rules for a token that gives access to registrations. */
type RegistrationTokenRules = typeof initialAccess;

const about = { parameter: "Authorization", error: "invalid_token" } as const;

/** The challenge names no error if the request had no token (RFC 6750, section 3.1). */
const present = {
  details: { challenges: [{ scheme: "Bearer", namesError: false }] },
  holds: ({ hasToken }: { hasToken: boolean }) => hasToken,
} as const;

const right = {
  details: { challenges: [{ scheme: "Bearer", namesError: true }] },
  holds: ({ isRight }: { isRight: boolean }) => isRight,
} as const;

const initialAccess = ruleSet("initial_access", { ...about, see: "RFC 7591, section 3" }, {
  present: {
    ...present,
    must: "The request must have the initial access token, as a Bearer token",
    fix: "Send the initial access token of this server's configuration.",
  },
  right: {
    ...right,
    must: "The initial access token must be the one of this server's configuration",
  },
});

const registrationAccess = ruleSet("registration_access", {
  ...about,
  see: "RFC 7592, section 3",
}, {
  present: {
    ...present,
    must: "The request must have the registration_access_token of the client, as a Bearer token",
  },
  // One rule for a client that does not exist and for a wrong token.
  right: {
    ...right,
    must: "The registration must exist, and the registration_access_token must belong to it",
  },
});

/**
 * Checks the initial access token if the server requires one. Returns whether it does (RFC 7591,
 * section 1.2).
 */
export async function checkInitialAccess(ctx: RequestContext): Promise<boolean> {
  const { initialAccessToken } = policyOf(ctx.settings);
  if (initialAccessToken === undefined) return false;
  const token = await readToken(ctx, initialAccess);
  ctx.apply(initialAccess.right, {
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
    client: requireValue(ctx.apply, registrationAccess.right, { isRight }, client),
    token,
  };
}

/** Extends the life of a client that is in use. It writes only once half of the time has passed. */
export async function extendRegistration(
  ctx: Context,
  { id, registration }: Client,
): Promise<void> {
  if (!registration) return;
  const row = await ctx.records.clients.get(id);
  const halfLife = registrationParts(ctx).unusedClient * 1000 / 2;
  if (!row || row.expiresAt - ctx.now() >= halfLife) return;
  // If this fails, the next use tries again.
  await withRegistration(
    ctx,
    id,
    (client, row) => ctx.records.clients.replace(id, row, client, unusedClientExpiration(ctx)),
  ).catch(() => {});
}

/** Returns when a registered client is deleted unless it is used. */
export function unusedClientExpiration(ctx: Context): number {
  return fromNow(ctx, registrationParts(ctx).unusedClient);
}

/** Works on the client as it is now, under a lock: two changes at once must not undo each other. */
export async function withRegistration<T>(
  ctx: Context,
  id: string,
  act: (client: RegisteredClient, row: Row<Client>) => Promise<T>,
): Promise<T> {
  return await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    const client = registeredClient(row?.value);
    const found = row && client && { row, client };
    const present = requireValue(
      ctx.apply,
      registrationAccess.right,
      { isRight: found !== undefined },
      found,
    );
    return await act(present.client, present.row);
  });
}

/** Returns a client that manages its registration, unless it is disabled. */
function registeredClient(client: Client | undefined): RegisteredClient | undefined {
  if (!client?.registration || client.disabled) return undefined;
  return { ...client, registration: client.registration };
}

/** Reads the token of a request, which must be a Bearer token. */
async function readToken(
  ctx: RequestContext,
  rules: RegistrationTokenRules,
): Promise<string> {
  const authorization = ctx.request.headers.get("Authorization");
  ctx.apply(rules.present, { hasToken: authorization !== null && /^Bearer /i.test(authorization) });
  const { token } = readPresentedToken(ctx.apply, authorization, undefined, challengePolicy);
  return token;
}
