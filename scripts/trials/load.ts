import type { ReadResponse } from "../../tests/support/flow_kit.ts";
import { present } from "../../tests/support/present.ts";
import { type Random, repeat } from "./numbers.ts";
import type { TrialUser } from "./user.ts";

/** How it is checked that a promise holds: the sentence for its loss, and what must be found. */
type Check = readonly [
  loss: string,
  expected: unknown,
  find: (user: TrialUser, what: string) => Promise<unknown>,
];

const redeem = async (user: TrialUser, code: string) => (await user.redeem(code)).status;
const refresh = async (user: TrialUser, token: string) => (await user.refresh(token)).status;
const isActive = (user: TrialUser, token: string) => user.isActive(token);

/**
 * What a server promises by its responses, in the order in which that is checked. Replays come last,
 * because each of them revokes an authorization.
 */
const checks = {
  key: ["A key is gone", true, async (user, key) => (await user.keys()).includes(key)],
  registration: [
    "A registered client is gone",
    200,
    async (user, client) => (await user.readRegistration(client)).status,
  ],
  accessToken: ["An access token is no longer active", true, isActive],
  revokedToken: ["A revoked token is active again", false, isActive],
  unusedCode: ["A code that was never used is refused", 200, redeem],
  refreshToken: ["A refresh token that was never used is refused", 200, refresh],
  /** It was sent without a response. One more attempt may succeed, a second may not. */
  doubtfulCode: ["A code was redeemed twice", 400, async (user, code) => {
    await redeem(user, code);
    return await redeem(user, code);
  }],
  usedCode: ["A used code is not refused", 400, redeem],
  usedRefreshToken: ["A used refresh token is not refused", 400, refresh],
} satisfies Record<string, Check>;

/** What a server has promised of a credential. */
type Promised = keyof typeof checks;

/** What a server has acknowledged, and must therefore still know. */
export interface Ledger {
  /** What holds for each credential, unless that is in doubt. */
  promises: Map<string, Promised | undefined>;
  /** How many responses the server has sent. */
  acknowledged: number;
  /** How many requests got 503 or no response. */
  refused: number;
}

/** Creates a ledger for a server with these keys. */
export function createLedger(keys: Iterable<string> = []): Ledger {
  const promises = new Map([...keys].map((key) => [key, "key"] as const));
  return { promises, acknowledged: 0, refused: 0 };
}

/** Returns what the server has lost or brought back, in one sentence each. */
export async function findLosses(user: TrialUser, { promises }: Ledger): Promise<string[]> {
  const losses = await user.codeAtOnce() === undefined ? ["The user is no longer signed in."] : [];
  for (const [kind, [loss, expected, find]] of Object.entries<Check>(checks)) {
    for (const [what] of [...promises].filter(([, promised]) => promised === kind)) {
      const found = await find(user, what);
      const status = typeof found === "number" ? `: ${found}` : "";
      if (found !== expected) losses.push(`${loss}${status}.`);
    }
  }
  return losses;
}

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
  const { promises } = ledger;
  const issued: string[] = [];
  /** Sends a credential, which is in doubt until the response arrives. */
  const spend = async (
    credential: string,
    send: (credential: string) => Promise<ReadResponse>,
    { meanwhile, afterwards }: { meanwhile?: Promised; afterwards: Promised },
  ): Promise<string> => {
    promises.set(credential, meanwhile);
    const { access_token, refresh_token } = acknowledge(ledger, await send(credential)).body;
    issued.push(access_token);
    promises.set(credential, afterwards).set(access_token, "accessToken");
    promises.set(refresh_token, "refreshToken");
    return refresh_token;
  };
  /** Ends the authorization, and with it every token that was issued from it. */
  const revoke = async (send: () => Promise<ReadResponse>, expected: number) => {
    const tokens = [refreshToken, ...issued];
    for (const token of tokens) promises.set(token, undefined);
    acknowledge(ledger, await send(), expected);
    for (const token of tokens) promises.set(token, "revokedToken");
  };

  if (random() < 0.2) {
    const { body } = acknowledge(ledger, await user.register(), 201);
    const client = `${body.registration_client_uri} ${body.registration_access_token}`;
    promises.set(client, "registration");
  }
  const code = await user.codeAtOnce();
  if (code === undefined) throw new NotAcknowledged("There is no code.");
  ledger.acknowledged++;
  promises.set(code, "unusedCode");
  if (random() < 0.3) return;
  const ofCode = { meanwhile: "doubtfulCode", afterwards: "usedCode" } as const;
  let refreshToken = await spend(code, user.redeem, ofCode);
  while (random() < 0.6) {
    // A second attempt with a refresh token revokes what the first one issued: it stays in doubt.
    refreshToken = await spend(refreshToken, user.refresh, { afterwards: "usedRefreshToken" });
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
