import type { TrialUser } from "./trial_user.ts";

/** What the server has acknowledged, and must therefore still know. */
export interface Ledger {
  /** Codes that were issued and never sent back. */
  codes: Set<string>;
  usedCodes: Set<string>;
  /** Codes that were sent without a response. One more attempt may succeed, a second may not. */
  doubtfulCodes: Set<string>;
  accessTokens: Set<string>;
  refreshTokens: Set<string>;
  usedRefreshTokens: Set<string>;
  revokedTokens: Set<string>;
  registrations: Set<Registration>;
  /** The ids of signing keys. They stay for all rounds. */
  keys: Set<string>;
  /** How many responses the server has sent. */
  acknowledged: number;
  /** How many requests got 503 or no response. */
  refused: number;
}

/** The URL of a client, with its registration access token. */
type Registration = readonly [url: string, token: string];

export function createLedger(keys: Iterable<string> = []): Ledger {
  return {
    codes: new Set(),
    usedCodes: new Set(),
    doubtfulCodes: new Set(),
    accessTokens: new Set(),
    refreshTokens: new Set(),
    usedRefreshTokens: new Set(),
    revokedTokens: new Set(),
    registrations: new Set(),
    keys: new Set(keys),
    acknowledged: 0,
    refused: 0,
  };
}

/** Returns what the server has lost or brought back, in one sentence each. */
export async function findLosses(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const losses = await user.authorize() === undefined ? ["The user is no longer signed in."] : [];
  const expect = async <T, Found>(
    expected: Found,
    all: Iterable<T>,
    find: (one: T) => Promise<Found>,
    loss: string,
  ) => {
    for (const one of all) {
      const found = await find(one);
      const status = typeof found === "number" ? `: ${found}` : "";
      if (found !== expected) losses.push(`${loss}${status}.`);
    }
  };
  const keys = await user.keys();
  const redeem = async (code: string) => (await user.redeem(code)).status;
  const refresh = async (token: string) => (await user.refresh(token)).status;
  const readClient = async ([url, token]: Registration) =>
    (await user.readRegistration(url, token)).status;
  const redeemTwice = async (code: string) => {
    await redeem(code);
    return await redeem(code);
  };

  await expect(true, ledger.keys, async (key) => keys.includes(key), "A key is gone");
  await expect(200, ledger.registrations, readClient, "A registered client is gone");
  await expect(true, ledger.accessTokens, user.isActive, "An access token is no longer active");
  await expect(false, ledger.revokedTokens, user.isActive, "A revoked token is active again");
  await expect(200, ledger.codes, redeem, "A code that was never used is refused");
  await expect(
    200,
    ledger.refreshTokens,
    refresh,
    "A refresh token that was never used is refused",
  );
  // Replays come last, because each of them revokes an authorization.
  await expect(400, ledger.doubtfulCodes, redeemTwice, "A code was redeemed twice");
  await expect(400, ledger.usedCodes, redeem, "A used code is not refused");
  await expect(400, ledger.usedRefreshTokens, refresh, "A used refresh token is not refused");
  return losses;
}
