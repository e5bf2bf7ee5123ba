import { userSchema } from "../server/config/config_data.ts";
import { collectProblems } from "../server/config/problems.ts";
import { checkValue } from "../server/config/schema.ts";
import { checkGroups } from "../server/config/user_config.ts";
import type { Context } from "../server/issuer/context.ts";
import type { AdminContext } from "../server/issuer/directory/changes.ts";
import { changeStored, placeOfUser } from "../server/issuer/directory/directory_entries.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import { type Claims, groupsScope } from "../server/model/claims.ts";
import type { User } from "../server/model/user.ts";
import { canonicalJson } from "../server/util/text/json.ts";
import { describeValues } from "./client_settings.ts";

/** Where links are sent to, by which users choose passwords. Others may read what came there. */
const addressClaims = ["email", "phone_number"];

/**
 * Changes the claims of a stored user. Sessions and tokens stay active, and clients learn of the
 * new claims with the next token or response. An open link to choose a password ends with the
 * address that it may have been sent to. Returns the names of the claims that are different.
 */
export async function setClaims(
  ctx: AdminContext,
  name: string,
  change: (claims: Claims) => Claims,
): Promise<string[]> {
  let differences: string[] = [];
  await changeStored(ctx, placeOfUser(ctx, name), async (before) => {
    const claims = change(before.claims);
    const problems = collectProblems();
    checkValue(userSchema, { name, claims }, "", problems.report);
    checkGroups(claims, problems.report);
    problems.throwAny("change the user");
    await checkPreferredName(ctx, name, claims);
    differences = differentNames(before.claims, claims);
    if (differences.length === 0) return before;
    const hasMoved = addressClaims.some((each) => differences.includes(each));
    return { ...before, claims, ...hasMoved && { passwordLink: undefined } };
  }, describeClaims);
  return differences;
}

/** An application that knows users by that claim would take one for the other. */
export async function checkPreferredName(
  ctx: Context,
  name: string,
  { preferred_username: other }: Claims,
): Promise<void> {
  if (typeof other !== "string" || other === name) return;
  if (!ctx.settings.users.has(other) && !await ctx.records.users.get(other)) return;
  throw new AdminError(`The preferred_username '${other}' is the name of another user.`);
}

/**
 * The log of changes is kept for a year, and what a user is called is no business of it. Groups are,
 * because applications decide by them what a user may do.
 */
function describeClaims(before: User, after: User): string[] {
  const names = differentNames(before.claims, after.claims);
  if (!names.includes(groupsScope)) return [`claims: ${names.join(", ")}`];
  const [from, to] = [before, after].map(({ claims: { groups = [] } }) => groups);
  return [`claims: ${names.join(", ")}`, `groups: ${describeValues(from, to)}`];
}

function differentNames(before: Claims, after: Claims): string[] {
  return Object.keys({ ...before, ...after }).filter((name) =>
    canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null)
  );
}
