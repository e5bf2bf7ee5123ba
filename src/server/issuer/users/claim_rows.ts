import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { idPrefix, joinId, splitId } from "../records/row_id.ts";
import type { UserClaimRow } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { forever } from "../records/table.ts";

/** What leads to a user, apart from the name. Several users may have one address. */
export type UserKey = "email" | "phone_number" | "preferred_username" | "subject";

/** Addresses are compared without case, and numbers without what only makes them readable. */
export function normalizeValue(key: UserKey, value: string): string {
  if (key === "email") return value.trim().normalize("NFC").toLowerCase();
  return key === "phone_number" ? value.replace(/[\s().-]/g, "") : value;
}

/** Returns what leads to a user, normalized. */
export function userValues(
  { subject, claims }: Pick<User, "subject" | "claims">,
): Map<UserKey, string> {
  const { email, phone_number, preferred_username } = claims;
  const given = { subject, email, phone_number, preferred_username };
  const values = Object.entries(given) as Array<[UserKey, unknown]>;
  const normalized = values.map(([key, value]) =>
    [key, typeof value === "string" ? normalizeValue(key, value) : ""] as const
  );
  return new Map(normalized.filter(([, value]) => value !== ""));
}

/** Returns the prefix of the rows that lead from a value. Their ids are no list of addresses. */
export async function claimPrefix(ctx: Context, key: UserKey, value: string): Promise<string> {
  return idPrefix(key, await digestOf(ctx, key, value));
}

/** Returns the rows that lead to a user of the store, by their ids. */
export async function claimRowsOf(
  ctx: Context,
  { name, revision, ...user }: User,
): Promise<Array<[id: string, row: UserClaimRow]>> {
  const end = await digestOf(ctx, "name", name);
  const ids = [...userValues(user)].map(async (value) => await claimPrefix(ctx, ...value) + end);
  return (await Promise.all(ids)).map((id) => [id, { name, revision }]);
}

/**
 * Writes a user of the store by a call, with the rows that lead there: those are written before the
 * user and removed after, so whoever reads one compares it with the user. A row that another process
 * has written meanwhile has another revision, and stays.
 */
export async function writeUser(
  ctx: Context,
  before: User | undefined,
  after: User | undefined,
  callFor: (after: User | undefined) => TableCall<boolean>,
): Promise<boolean> {
  const { batch, write, userClaims: { calls } } = ctx.records;
  if (before && !after) await forgetPairwiseSubjects(ctx, before);
  const user = after && { ...after, revision: randomId(ctx) };
  const rows = user ? await claimRowsOf(ctx, user) : [];
  await batch(...rows.map(([id, row]) => calls.put(id, row, forever)));
  if (!await write({ rows: [], last: callFor(user) })) return false;
  const needed = new Set(rows.map(([id]) => id));
  const outdated = before ? await claimRowsOf(ctx, before) : [];
  const removals = outdated.filter(([id]) => !needed.has(id))
    .map(([id, value]) => calls.replace(id, { value, expiresAt: forever }, value, 0));
  await batch(...removals);
  return true;
}

/**
 * Returns the calls that add what leads to a user from the subject by which a client knows them, and
 * back, for the removal. A public one leads there already.
 */
export async function pairwiseRowCalls(
  ctx: Context,
  { name, subject: own }: Pick<User, "name" | "subject">,
  subject: string,
): Promise<TableCall<boolean>[]> {
  if (subject === own) return [];
  const digests = [await digestOf(ctx, "subject", subject), await digestOf(ctx, "name", name)];
  const ids = [joinId("given", ...digests.toReversed()), joinId("subject", ...digests)];
  return ids.map((id) => ctx.records.userClaims.calls.add(id, { name }, forever));
}

/** Removes what leads from pairwise subjects to a user, who is disabled and gets no others. */
async function forgetPairwiseSubjects(ctx: Context, { name }: User): Promise<void> {
  const { batch, userClaims } = ctx.records;
  for (const [id] of await userClaims.list(idPrefix("given", await digestOf(ctx, "name", name)))) {
    const ids = [joinId("subject", ...splitId(id).slice(1).toReversed()), id];
    await batch(...ids.map((each) => userClaims.calls.delete(each)));
  }
}

async function digestOf(ctx: Context, key: UserKey | "name", value: string): Promise<string> {
  return await ctx.keys.derive("user-claim", `${key}\n${value}`);
}
