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
  /** Registration access tokens by the URL of their user. */
  registrations: Map<string, string>;
  /** The ids of signing keys. They stay for all rounds. */
  keys: Set<string>;
  /** How many responses the server has sent. */
  acknowledged: number;
  /** How many requests got 503 or no response. */
  refused: number;
}

export function createLedger(keys: Iterable<string> = []): Ledger {
  return {
    codes: new Set(),
    usedCodes: new Set(),
    doubtfulCodes: new Set(),
    accessTokens: new Set(),
    refreshTokens: new Set(),
    usedRefreshTokens: new Set(),
    revokedTokens: new Set(),
    registrations: new Map(),
    keys: new Set(keys),
    acknowledged: 0,
    refused: 0,
  };
}

/** Returns what the server has lost or brought back, in one sentence each. */
export async function findLosses(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const isSignedIn = await user.authorize() !== undefined;
  // Replays come last, because each of them revokes an authorization.
  return [
    ...isSignedIn ? [] : ["The user is no longer signed in."],
    ...await findLostRows(user, ledger),
    ...await findUnusable(user, ledger),
    ...await findReusable(user, ledger),
  ];
}

async function findLostRows(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const losses: string[] = [];
  for (const token of ledger.accessTokens) {
    if (!await user.isActive(token)) losses.push("An access token is no longer active.");
  }
  for (const token of ledger.revokedTokens) {
    if (await user.isActive(token)) losses.push("A revoked token is active again.");
  }
  for (const [url, token] of ledger.registrations) {
    const { status } = await user.readRegistration(url, token);
    if (status !== 200) losses.push(`A registered client is gone: ${status}.`);
  }
  const keys = await user.keys();
  for (const key of ledger.keys) if (!keys.includes(key)) losses.push(`The key ${key} is gone.`);
  return losses;
}

async function findUnusable(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const losses: string[] = [];
  for (const code of ledger.codes) {
    const { status } = await user.redeem(code);
    if (status !== 200) losses.push(`A code that was never used is refused: ${status}.`);
  }
  for (const token of ledger.refreshTokens) {
    const { status } = await user.refresh(token);
    if (status !== 200) losses.push(`A refresh token that was never used is refused: ${status}.`);
  }
  return losses;
}

async function findReusable(user: TrialUser, ledger: Ledger): Promise<string[]> {
  const losses: string[] = [];
  for (const code of ledger.doubtfulCodes) {
    const statuses = [(await user.redeem(code)).status, (await user.redeem(code)).status];
    if (statuses[1] !== 400) losses.push(`A code was redeemed twice: ${statuses}.`);
  }
  for (const code of ledger.usedCodes) {
    const { status } = await user.redeem(code);
    if (status !== 400) losses.push(`A used code is not refused: ${status}.`);
  }
  for (const token of ledger.usedRefreshTokens) {
    const { status } = await user.refresh(token);
    if (status !== 400) losses.push(`A used refresh token is not refused: ${status}.`);
  }
  return losses;
}
