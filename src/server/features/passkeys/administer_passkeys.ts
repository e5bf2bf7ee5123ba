import { revokeAuthorizationsOfUser } from "../../issuer/authorizations/authorizations.ts";
import type { Context } from "../../issuer/context.ts";
import { type AdminContext, recordChange } from "../../issuer/directory/changes.ts";
import { changeStored, findStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import { randomId, randomSecret } from "../../issuer/random.ts";
import { AdminError, LockedError } from "../../issuer/records/lock.ts";
import { endSessionsOf } from "../../issuer/sessions/sessions.ts";
import { fromNow } from "../../issuer/time.ts";
import type { User } from "../../model/user.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { hour } from "../../util/time/duration.ts";
import { rpIdOf } from "./config.ts";
import { type Changed, findOwner, type Owner, type Passkey, writePasskeys } from "./passkeys.ts";

/** The path of links, below the issuer. */
export const linkPath = "/passkeys/new";

/** In seconds. */
export const linkLifetime = 1 * hour;

/** Finds a user of the store, who can have passkeys. */
export async function findStoredOwner(ctx: AdminContext, name: string): Promise<Owner> {
  const owner = await findOwner(ctx, await findStored(ctx, placeOfUser(ctx, name)));
  if (!owner) throw new AdminError(`The user '${name}' cannot have passkeys.`);
  return owner;
}

/** Removes a passkey, and ends the sessions and authorizations of its user. */
export async function removePasskey(ctx: AdminContext, name: string, key: string): Promise<void> {
  const { passkeys } = await findStoredOwner(ctx, name);
  const removed = passkeys.find((each) => each.key === key);
  if (!removed) throw new AdminError(`The user '${name}' has no passkey '${key}'.`);
  await recordChange(ctx, name, [`the passkey '${removed.name}' is removed`]);
  await takeAway(ctx, name, (each) => each.key === key);
  if (passkeys.length > 1) return;
  // Without a passkey or a link, a user who gave the password up could never sign in again.
  await changeStored(ctx, placeOfUser(ctx, name), (user) => ({ ...user, passkeyOnly: false }));
}

/** Removes passkeys, and ends what they began. */
async function takeAway(
  ctx: AdminContext,
  name: string,
  isRemoved: (passkey: Passkey) => boolean,
): Promise<void> {
  // First, so that no session adds a passkey meanwhile.
  await endEverything(ctx, (await findStoredOwner(ctx, name)).user);
  const owner = await findStoredOwner(ctx, name);
  const removed = owner.passkeys.filter(isRemoved);
  const passkeys = owner.passkeys.filter((each) => !isRemoved(each));
  if (!await writePasskeys(ctx, owner, { passkeys }, removals(removed))) throw new LockedError();
  await endEverything(ctx, owner.user);
}

/**
 * Makes a link by which a user of the store gets a new passkey. What the user had ends when the new
 * one is stored; if the passkeys are lost, at once. A link made before ends. Times are milliseconds.
 */
export async function createPasskeyLink(
  ctx: AdminContext,
  name: string,
  isLost: boolean,
): Promise<{ url: string; until: number }> {
  if (rpIdOf(ctx.settings) === undefined) {
    throw new AdminError("This server has no passkeys: see the setting 'passkeys'.");
  }
  if ((await findStoredOwner(ctx, name)).user.disabled) {
    throw new AdminError(`The user '${name}' is disabled. First: hallpass user enable ${name}`);
  }
  await recordChange(ctx, name, [isLost ? "a link for a lost passkey" : "a link for a passkey"]);
  if (isLost) await takeAway(ctx, name, () => true);
  const current = await findStoredOwner(ctx, name);
  const { passkeys, user: { epoch } } = current;
  const secret = randomSecret(ctx);
  const until = fromNow(ctx, linkLifetime);
  const link = { hash: await sha256(secret), until, epoch };
  if (!await writePasskeys(ctx, current, { passkeys, link })) throw new LockedError();
  const query = new URLSearchParams({ user: name, link: secret });
  return { url: `${issuerUrl(ctx.settings.frontChannelUrl, linkPath)}?${query}`, until };
}

/** Ends the sessions and authorizations of a user. */
export async function endEverything(ctx: Context, user: User): Promise<void> {
  const changed = await changeStored(ctx, placeOfUser(ctx, user.name), (before) => {
    if (before.instance !== user.instance) return before;
    return { ...before, epoch: randomId(ctx), keptSession: undefined };
  });
  await endSessionsOf(ctx, changed);
  await revokeAuthorizationsOfUser(ctx, changed, "its user gets new passkeys");
}

export function removals(passkeys: readonly Passkey[]): Changed[] {
  return passkeys.map((each) => ["removed", each]);
}
