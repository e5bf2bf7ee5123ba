import type { RequestContext } from "../../issuer/context.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import {
  acrOfPasskey,
  type Authentication,
  passkeyMethods,
} from "../../issuer/users/sign_in_factor.ts";
import {
  type CeremonyResponse,
  hasGrown,
  type ProvenPasskey,
  readCeremonyResponse,
  verifyAssertion,
} from "./ceremony.ts";
import { useChallenge } from "./challenge.ts";
import { findOwner, findOwnerOf, type Owner, writePasskeys } from "./passkeys.ts";

/** Two sign-ins at once compare and set the counter one after the other. */
const maxAttempts = 5;

/** Verifies a signature of nobody, so that the time does not show which passkeys exist. */
const decoy: ProvenPasskey = {
  publicKey: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVr0RtWumRgyHNp0uxkefNEESK1PKBUnPFFoTcZMUgneb" +
    "m0w1_FreWRc2hmV2Y3aLQgpoXS6G6ERD2aQ_YWaCPw",
  ...{ id: "", algorithm: -7, rpId: "", transports: [] },
  ...{ counter: 0, mayBeBackedUp: false, isBackedUp: false },
};

/** Authenticates who sends the response of a browser to the form of passkeys. */
export async function authenticateByPasskey(
  ctx: RequestContext,
  text: string,
): Promise<Authentication | undefined> {
  const response = readCeremonyResponse(text);
  const [owner, passkey = decoy] = response && await findOwnerOf(ctx, response.id) || [];
  const problem = response
    ? await assertionProblem(ctx, response, owner, passkey)
    : "no response of a browser";
  if (problem === undefined && owner) {
    const acr = acrOfPasskey(ctx.settings.acrValues);
    return { user: owner.user, acr, amr: [...passkeyMethods], factor: "passkey" };
  }
  const reason = `passkey: ${problem}`;
  ctx.emit({ type: "sign_in.failed", ...owner && { user: owner.user.name }, reason });
  return undefined;
}

/** Returns why a passkey signs nobody in, if so; else its challenge and its counter are used. */
async function assertionProblem(
  ctx: RequestContext,
  response: CeremonyResponse,
  owner: Owner | undefined,
  passkey: ProvenPasskey,
): Promise<string | undefined> {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const userHandle = owner?.handle ?? "";
  const proven = await verifyAssertion(response, passkey, { origin, userHandle });
  const browser = await findBrowser(ctx);
  if (!owner) return "unknown";
  if (proven.problem !== undefined) return proven.problem;
  if (!browser || !await useChallenge(ctx, browser, response.challenge)) {
    return "a challenge that is void, was used, or is another browser's";
  }
  return await counterProblem(ctx, owner, passkey.id, proven.data);
}

/** Compares and sets the counter in one write. Returns why the passkey is refused, if so. */
async function counterProblem(
  ctx: RequestContext,
  { user }: Owner,
  id: string,
  { counter, isBackedUp }: { counter: number; isBackedUp: boolean },
): Promise<string | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const owner = await findOwner(ctx, user);
    const before = owner?.passkeys.find((each) => each.id === id);
    if (!owner || !before) return "removed meanwhile";
    const isRepeated = !hasGrown(before.counter, counter);
    if (isRepeated && !isBackedUp) return "its counter did not grow: there may be a copy of it";
    const highest = Math.max(before.counter, counter);
    const used = { ...before, isBackedUp, usedAt: ctx.now(), counter: highest };
    const passkeys = owner.passkeys.map((each) => each === before ? used : each);
    if (!await writePasskeys(ctx, owner, { passkeys })) continue;
    const { key: passkey } = before;
    if (isRepeated) ctx.emit({ type: "passkey.counter_repeated", user: user.name, passkey });
    return undefined;
  }
  return "used by many at once";
}
