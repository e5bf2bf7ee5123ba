import type { UserAgent } from "../../http/user_agent.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { forever } from "../../issuer/records/table.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { User } from "../../model/user.ts";
import type { Row } from "../../store/store.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import type { ProvenPasskey } from "./ceremony.ts";

/** A passkey of a user of the store. */
export interface Passkey extends ProvenPasskey {
  /** The SHA-256 of the credential id, by which pages, commands and events name it. */
  key: string;
  /** What its user calls it. */
  name: string;
  /** In milliseconds. */
  createdAt: number;
  usedAt?: number | undefined;
  /** The browser that made it. */
  userAgent: UserAgent;
}

/** A change of the passkeys of a user; `only` and `also` are about the password. */
export interface PasskeyChange {
  change: "added" | "renamed" | "removed" | "only" | "also";
  name: string;
  /** In milliseconds. */
  at: number;
}

/** A change before it is written; one of the password concerns no passkey. */
export type Changed = readonly [change: PasskeyChange["change"], passkey?: Passkey];

/** What a user has. It is one row, so that no change can overlook another one. */
interface OwnPasskeys {
  passkeys: Passkey[];
  /** The latest of the last 30 days, newest first. */
  changes: PasskeyChange[];
  /**
   * A link of an administrator, by which the user replaces all passkeys by a new one. It ends with
   * the epoch of its user, as when the user is disabled or has a new password.
   */
  link?: { hash: string; until: number; epoch: string | undefined } | undefined;
}

/** A user of the store, with the row as it was read. */
export interface Owner extends OwnPasskeys {
  user: User;
  /** The user handle, which authenticators keep: another one for each user, never reassigned. */
  handle: string;
  row: Row<OwnPasskeys> | undefined;
}

/** How many passkeys a user may have. */
export const maxPasskeys = 20;

/** How many changes are shown, and how long, in milliseconds. */
const [maxChanges, changesShownFor] = [100, 30 * day * 1000];

const tables = serverPart(({ records: { open } }) => ({
  /** By the user handle. */
  ofUsers: open.plain<OwnPasskeys>("passkeys"),
  /** Leads to the user, by the key of a passkey: a credential id is unique among all users. */
  owners: open.plain<{ userName: string; handle: string }>("passkey"),
}));

/** Whether any user has a passkey. */
export async function hasPasskeys(ctx: Context): Promise<boolean> {
  for await (const _ of tables(ctx).owners.each()) return true;
  return false;
}

/** Yields what each user has, by the user handle. */
export function eachOwn(ctx: Context): AsyncGenerator<[string, OwnPasskeys]> {
  return tables(ctx).ofUsers.each();
}

/** Reads the passkeys of a user; undefined for one of the configuration, who can have none. */
export async function findOwner(ctx: Context, user: User): Promise<Owner | undefined> {
  const { instance: handle } = user;
  if (ctx.settings.users.has(user.name) || handle === undefined) return undefined;
  const row = await tables(ctx).ofUsers.get(handle);
  const { passkeys, changes, link }: OwnPasskeys = row?.value ?? { passkeys: [], changes: [] };
  const isShown = ({ at }: PasskeyChange) => at > ctx.now() - changesShownFor;
  return { user, handle, row, passkeys, changes: changes.filter(isShown), link };
}

export async function countPasskeys(ctx: Context, user: User): Promise<number> {
  return (await findOwner(ctx, user))?.passkeys.length ?? 0;
}

/** Finds the user who has a passkey, by the credential id. */
export async function findOwnerOf(
  ctx: Context,
  credentialId: string,
): Promise<[Owner, Passkey] | undefined> {
  const key = await sha256(credentialId);
  const lead = await tables(ctx).owners.find(key);
  const user = await findUser(ctx, lead?.userName ?? "");
  const owner = user && await findOwner(ctx, user);
  // The name may have been reassigned.
  if (!owner || owner.handle !== lead?.handle) return undefined;
  const passkey = owner.passkeys.find((each) => each.key === key);
  return passkey && [owner, passkey];
}

/** Whether an import stored these passkeys for a user before it was interrupted. */
export async function isStoredFor(
  ctx: Context,
  { name, instance }: User,
  passkeys: readonly Passkey[],
): Promise<boolean> {
  const { ofUsers, owners } = tables(ctx);
  if (instance === undefined || !await ofUsers.find(instance)) return false;
  const leads = await Promise.all(passkeys.map(({ key }) => owners.find(key)));
  return leads.every((lead) => lead?.userName === name && lead.handle === instance);
}

/**
 * Writes what a user has over the row that was read, and reports what changed in a session, if it was
 * the user. Returns false if another request changed the row since, or another passkey of anyone has
 * the id of a new one.
 */
export async function writePasskeys(
  ctx: Context,
  { user, handle, row, passkeys: before, changes, link }: Owner,
  after: { passkeys: Passkey[]; link?: OwnPasskeys["link"] },
  changed: readonly Changed[] = [],
  sid?: string,
): Promise<boolean> {
  const { ofUsers, owners } = tables(ctx);
  const added = changed.flatMap(([change, passkey]) =>
    change === "added" && passkey ? [passkey] : []
  );
  const led: Passkey[] = [];
  for (const each of added) {
    if (await owners.add(each.key, { userName: user.name, handle }, forever)) led.push(each);
  }
  const at = ctx.now();
  const noted = changed.map(([change, passkey]) => ({ change, name: passkey?.name ?? "", at }));
  const value = { link, ...after, changes: [...noted, ...changes].slice(0, maxChanges) };
  const isWritten = led.length === added.length &&
    await (row ? ofUsers.replace(handle, row, value) : ofUsers.add(handle, value, forever));
  const isKept = ({ key }: Passkey) => after.passkeys.some((each) => each.key === key);
  const free = isWritten ? before.filter((each) => !isKept(each)) : led;
  for (const { key } of free) await owners.delete(key);
  if (!isWritten) return false;
  for (const [change, passkey] of changed) {
    const concerned = { ...passkey && { passkey: passkey.key }, ...sid && { sid } };
    ctx.emit({ type: "passkey.changed", user: user.name, change, ...concerned });
  }
  return true;
}

/** Deletes everything about the passkeys of a user who is removed. */
export async function forgetPasskeys(ctx: Context, user: User): Promise<void> {
  const owner = await findOwner(ctx, user);
  if (!owner) return;
  const { ofUsers, owners } = tables(ctx);
  await ofUsers.delete(owner.handle);
  for (const { key } of owner.passkeys) await owners.delete(key);
}
