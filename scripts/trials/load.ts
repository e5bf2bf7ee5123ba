import type { ReadResponse } from "../../tests/support/flow_kit.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./numbers.ts";
import type { TrialUser } from "./trial_user.ts";

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
  const work = async (user: TrialUser) => {
    do {
      try {
        await runChain(user, ledger, random);
        count++;
      } catch (cause) {
        if (!isInterruption(cause)) throw cause;
        ledger.refused++;
      }
    } while (!isOver());
  };
  await Promise.all(users.map(work));
  return count;
}

/**
 * Authorizes, redeems, refreshes and revokes, and makes mistakes. What was sent without a response
 * is in doubt.
 */
async function runChain(user: TrialUser, ledger: Ledger, random: Random): Promise<void> {
  if (random() < 0.2) await register(user, ledger);
  const code = await user.authorize();
  if (code === undefined) throw new NotAcknowledged("There is no code.");
  ledger.acknowledged++;
  ledger.codes.add(code);
  if (random() < 0.3) return;
  const issued: string[] = [];
  let refreshToken = await redeem(user, ledger, code, issued);
  while (random() < 0.6) refreshToken = await refresh(user, ledger, refreshToken, issued);
  acknowledge(ledger, await user.userinfo(issued.at(-1) ?? ""));
  await user.makeMistakes(code);
  const end = random();
  if (end < 0.2) await revoke(ledger, [refreshToken, ...issued], () => user.revoke(refreshToken));
  // A replay revokes the authorization.
  else if (end < 0.4) await revoke(ledger, [refreshToken, ...issued], () => user.redeem(code), 400);
}

async function redeem(
  user: TrialUser,
  ledger: Ledger,
  code: string,
  issued: string[],
): Promise<string> {
  ledger.codes.delete(code);
  ledger.doubtfulCodes.add(code);
  const response = acknowledge(ledger, await user.redeem(code));
  ledger.doubtfulCodes.delete(code);
  ledger.usedCodes.add(code);
  return keepTokens(ledger, response, issued);
}

async function refresh(
  user: TrialUser,
  ledger: Ledger,
  token: string,
  issued: string[],
): Promise<string> {
  ledger.refreshTokens.delete(token);
  const response = acknowledge(ledger, await user.refresh(token));
  ledger.usedRefreshTokens.add(token);
  return keepTokens(ledger, response, issued);
}

function keepTokens(ledger: Ledger, { body }: ReadResponse, issued: string[]): string {
  const { access_token, refresh_token } = body;
  issued.push(access_token);
  ledger.accessTokens.add(access_token);
  ledger.refreshTokens.add(refresh_token);
  return refresh_token;
}

/** Ends an authorization, and with it every token that was issued from it. */
async function revoke(
  ledger: Ledger,
  tokens: readonly string[],
  send: () => Promise<ReadResponse>,
  expected = 200,
): Promise<void> {
  for (const token of tokens) {
    ledger.refreshTokens.delete(token);
    ledger.accessTokens.delete(token);
  }
  acknowledge(ledger, await send(), expected);
  for (const token of tokens) ledger.revokedTokens.add(token);
}

async function register(user: TrialUser, ledger: Ledger): Promise<void> {
  const { body } = acknowledge(ledger, await user.register(), 201);
  ledger.registrations.add([body.registration_client_uri, body.registration_access_token]);
}

/** Counts a response. A store that is away is reported by 503, and by nothing else. */
function acknowledge(ledger: Ledger, response: ReadResponse, expected = 200): ReadResponse {
  const { status, text } = response;
  if (status === 503) throw new NotAcknowledged("The store is away.");
  if (status !== expected) throw new Error(`Unexpected response ${status}: ${text}`);
  ledger.acknowledged++;
  return response;
}

/** Whether a request failed because the server or its store is dead. */
function isInterruption(cause: unknown): boolean {
  return cause instanceof NotAcknowledged || cause instanceof TypeError;
}
