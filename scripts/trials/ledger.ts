import type { TrialUser } from "./user.ts";

/** How a promise is looked for, and the sentence for its loss. */
type Check = readonly [
  loss: string,
  expected: unknown,
  find: (user: TrialUser, what: string) => Promise<unknown>,
];

const redeem = async (user: TrialUser, code: string) => (await user.redeem(code)).status;
const refresh = async (user: TrialUser, token: string) => (await user.refresh(token)).status;
const isActive = (user: TrialUser, token: string) => user.isActive(token);

/**
 * What a server promises by its responses, in the order in which that is looked for. Replays come
 * last, because each of them revokes an authorization.
 */
const checks = {
  /** The ids of signing keys. */
  keys: ["A key is gone", true, async (user, key) => (await user.keys()).includes(key)],
  registrations: [
    "A registered client is gone",
    200,
    async (user, client) => (await user.readRegistration(client)).status,
  ],
  accessTokens: ["An access token is no longer active", true, isActive],
  revokedTokens: ["A revoked token is active again", false, isActive],
  /** Codes that were issued and never sent back. */
  codes: ["A code that was never used is refused", 200, redeem],
  refreshTokens: ["A refresh token that was never used is refused", 200, refresh],
  /** Codes that were sent without a response. One more attempt may succeed, a second may not. */
  doubtfulCodes: ["A code was redeemed twice", 400, async (user, code) => {
    await redeem(user, code);
    return await redeem(user, code);
  }],
  usedCodes: ["A used code is not refused", 400, redeem],
  usedRefreshTokens: ["A used refresh token is not refused", 400, refresh],
} satisfies Record<string, Check>;

/** What the server has acknowledged, and must therefore still know. */
export interface Ledger extends Record<keyof typeof checks, Set<string>> {
  /** How many responses the server has sent. */
  acknowledged: number;
  /** How many requests got 503 or no response. */
  refused: number;
}

export function createLedger(keys: Iterable<string> = []): Ledger {
  const sets = Object.keys(checks).map((name) => [name, new Set<string>()]);
  const empty: Ledger = Object.fromEntries(sets);
  return { ...empty, keys: new Set(keys), acknowledged: 0, refused: 0 };
}

/** Returns what the server has lost or brought back, in one sentence each. */
export async function findLosses(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const losses = await user.authorize() === undefined ? ["The user is no longer signed in."] : [];
  for (const name of Object.keys(checks) as Array<keyof typeof checks>) {
    const [loss, expected, find]: Check = checks[name];
    for (const what of ledger[name]) {
      const found = await find(user, what);
      const status = typeof found === "number" ? `: ${found}` : "";
      if (found !== expected) losses.push(`${loss}${status}.`);
    }
  }
  return losses;
}
