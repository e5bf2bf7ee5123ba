import type { Context } from "../../server/issuer/context.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { RememberedMap } from "../recording/change_history.ts";
import { findIssuedCode } from "../tokens/issue_without_request.ts";
import { holdsFor, userValues } from "./added_claims.ts";
import { fillMembers } from "./template.ts";
import type { ConditionalMembers } from "./token_settings.ts";

/**
 * Returns the parameters that only the first authorization response about a user to a client has.
 * `seen` remembers to whom there was one.
 */
export async function firstParameters(
  ctx: Context,
  rules: readonly ConditionalMembers[],
  code: string | undefined,
  seen: RememberedMap<true>,
): Promise<Record<string, unknown>> {
  const issued = code === undefined ? undefined : await findIssuedCode(ctx, code);
  const user = issued && await findUser(ctx, issued.userName);
  if (!user) return {};
  const owner = `first response\n${issued.clientId}\n${user.subject}`;
  if (seen.has(owner)) return {};
  seen.set(owner, true);
  return rules.filter((rule) => holdsFor(rule, user, issued.scope))
    .map(({ set }) => fillMembers(set, userValues(user)))
    .reduce(joinMembers, {});
}

function joinMembers(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value] as const;
  });
  return { ...one, ...Object.fromEntries(joined) };
}
