import type { ReadResponse } from "../../tests/support/flow_kit.ts";
import { present } from "../../tests/support/present.ts";
import type { Ledger } from "./ledger.ts";
import { type Random, repeat } from "./numbers.ts";
import type { TrialUser } from "./user.ts";

/** How long a load lasts, and what notes it. */
export interface LoadOptions {
  ledger: Ledger;
  random: Random;
  isOver(): boolean;
}

/** The server is dead, or its store is. */
class NotAcknowledged extends Error {}

/**
 * Lets users send requests until `isOver`, each at least once, and records what the server
 * acknowledges. Returns how many chains of requests it were.
 */
export async function sendLoad(
  users: readonly TrialUser[],
  { ledger, random, isOver }: LoadOptions,
): Promise<number> {
  let count = 0;
  const act = async (_: number, worker: number) => {
    try {
      await runChain(present(users[worker]), ledger, random);
      count++;
    } catch (cause) {
      // If the server is dead, `fetch` throws a TypeError.
      if (!(cause instanceof NotAcknowledged || cause instanceof TypeError)) throw cause;
      ledger.refused++;
    }
  };
  await repeat(act, { isOver, workers: users.length });
  return count;
}

/** Authorizes, redeems, refreshes and revokes, and makes mistakes. */
async function runChain(user: TrialUser, ledger: Ledger, random: Random): Promise<void> {
  const issued: string[] = [];
  /** Sends a credential, which is in doubt until the response arrives. */
  const spend = async (
    credential: string,
    send: (credential: string) => Promise<ReadResponse>,
    [from, doubtful, used]: readonly [Set<string>, Set<string>, Set<string>],
  ): Promise<string> => {
    from.delete(credential);
    doubtful.add(credential);
    const { access_token, refresh_token } = acknowledge(ledger, await send(credential)).body;
    doubtful.delete(credential);
    used.add(credential);
    issued.push(access_token);
    ledger.accessTokens.add(access_token);
    ledger.refreshTokens.add(refresh_token);
    return refresh_token;
  };
  /** Ends the authorization, and with it every token that was issued from it. */
  const revoke = async (send: () => Promise<ReadResponse>, expected: number) => {
    const tokens = [refreshToken, ...issued];
    for (const token of tokens) {
      ledger.refreshTokens.delete(token);
      ledger.accessTokens.delete(token);
    }
    acknowledge(ledger, await send(), expected);
    for (const token of tokens) ledger.revokedTokens.add(token);
  };

  if (random() < 0.2) {
    const { body } = acknowledge(ledger, await user.register(), 201);
    ledger.registrations.add(`${body.registration_client_uri} ${body.registration_access_token}`);
  }
  const code = await user.authorize();
  if (code === undefined) throw new NotAcknowledged("There is no code.");
  ledger.acknowledged++;
  ledger.codes.add(code);
  if (random() < 0.3) return;
  const { codes, doubtfulCodes, usedCodes, refreshTokens, usedRefreshTokens } = ledger;
  let refreshToken = await spend(code, user.redeem, [codes, doubtfulCodes, usedCodes]);
  while (random() < 0.6) {
    // A second attempt with a refresh token revokes what the first one issued: it stays in doubt.
    const sets = [refreshTokens, new Set<string>(), usedRefreshTokens] as const;
    refreshToken = await spend(refreshToken, user.refresh, sets);
  }
  acknowledge(ledger, await user.userinfo(issued.at(-1) ?? ""));
  await user.makeMistakes(code);
  const end = random();
  if (end < 0.2) await revoke(() => user.revoke(refreshToken), 200);
  // A replay revokes the authorization.
  else if (end < 0.4) await revoke(() => user.redeem(code), 400);
}

/** Counts a response. A store that is away is reported by 503, and by nothing else. */
function acknowledge(ledger: Ledger, response: ReadResponse, expected = 200): ReadResponse {
  const { status, text } = response;
  if (status === 503) throw new NotAcknowledged("The store is away.");
  if (status !== expected) throw new Error(`Unexpected response ${status}: ${text}`);
  ledger.acknowledged++;
  return response;
}
