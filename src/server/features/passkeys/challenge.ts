import { base64url } from "jose";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { withMargin } from "../../issuer/records/table.ts";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import { encodeBase64url } from "../../util/bytes/encoding.ts";
import { equalInConstantTime } from "../../util/crypto/hash.ts";
import { hour, minute } from "../../util/time/duration.ts";

/** In seconds. A page that stays open longer gets a fresh one before. */
const challengeLifetime = 10 * minute;

/** The time and the random bytes before the proof, and their length in base64url. */
const [openBytes, openLength] = [24, 32];

/** The challenges that were answered, for as long as they could be replayed. */
const usedChallenges = serverPart(({ records }) =>
  withMargin(records.open.plain<null>("used-passkey-challenge"), 1 * hour * 1000)
);

/**
 * Makes a challenge for one browser. Nothing of it is stored: it has its time in it, and a proof that
 * a server of this store made it for the browser with this cookie.
 */
export async function createChallenge(ctx: RequestContext, browser: Browser): Promise<string> {
  const bytes = new Uint8Array(openBytes);
  bytes.set(ctx.settings.randomBytes(openBytes));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(ctx.now() + challengeLifetime * 1000));
  const open = encodeBase64url(bytes);
  return open + await proofOf(ctx, browser, open);
}

/**
 * Uses a challenge, after everything else is verified. Returns true to exactly one caller; false if
 * it was made for another browser, ended, or was used.
 */
export async function useChallenge(
  ctx: RequestContext,
  browser: Browser,
  challenge: string,
): Promise<boolean> {
  const open = challenge.slice(0, openLength);
  const proof = challenge.slice(openLength);
  if (!equalInConstantTime(proof, await proofOf(ctx, browser, open))) return false;
  const { buffer } = Uint8Array.from(base64url.decode(open));
  const until = Number(new DataView(buffer).getBigUint64(0));
  return until > ctx.now() && await usedChallenges(ctx).add(open, null, until);
}

async function proofOf(ctx: RequestContext, browser: Browser, open: string): Promise<string> {
  return await ctx.keys.derive("passkey-challenge", `${browser.hash}\n${open}`);
}
