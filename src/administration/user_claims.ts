import { userSchema } from "../server/config/config_data.ts";
import { collectProblems } from "../server/config/problems.ts";
import { checkValue } from "../server/config/schema.ts";
import type { AdminContext } from "../server/issuer/directory/changes.ts";
import { changeStored, placeOfUser } from "../server/issuer/directory/directory_entries.ts";
import type { Claims } from "../server/model/claims.ts";
import type { User } from "../server/model/user.ts";
import { canonicalJson } from "../server/util/text/json.ts";

/**
 * Changes the claims of a stored user. Sessions and tokens stay active, and clients learn of the
 * new claims with the next token or response. Returns the names of the claims that are different.
 */
export async function setClaims(
  ctx: AdminContext,
  name: string,
  change: (claims: Claims) => Claims,
): Promise<string[]> {
  let differences: string[] = [];
  await changeStored(ctx, placeOfUser(ctx, name), (before) => {
    const claims = change(before.claims);
    const problems = collectProblems();
    checkValue(userSchema, { name, claims }, "", problems.report);
    problems.throwAny("change the user");
    differences = differentNames(before.claims, claims);
    return differences.length === 0 ? before : { ...before, claims };
  }, describeClaims);
  return differences;
}

/** The log of changes is kept for a year, and what a user is called is no business of it. */
function describeClaims(before: User, after: User): string[] {
  return [`claims: ${differentNames(before.claims, after.claims).join(", ")}`];
}

function differentNames(before: Claims, after: Claims): string[] {
  return Object.keys({ ...before, ...after }).filter((name) =>
    canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null)
  );
}
