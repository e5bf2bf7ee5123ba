import type { ClaimsPolicy } from "../../server/config/policies.ts";
import type { User } from "../../server/model/user.ts";
import { ownMember } from "../../server/util/values/members.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import type { ConditionalMembers } from "./response_settings.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

/** Returns what templates know about a user: the claims, `sub`, and the user name. */
export function userValues({ name, subject, claims }: User): TemplateValues {
  return { user: { ...claims, sub: subject }, username: name };
}

/** Whether members are about a user who granted a scope. */
export function holdsFor(
  { scope, when }: ConditionalMembers,
  { claims }: User,
  granted: readonly string[],
): boolean {
  const isGranted = scope === undefined || granted.includes(scope);
  return isGranted && (when === undefined || ownMember(claims, when) === true);
}

/** Creates the policy that adds the claims of a dialect. Those of the test's own policy win. */
export function createClaimsPolicy(
  { claims: added = [] }: Dialect,
  address: DialectAddress,
  own: ClaimsPolicy | undefined,
): ClaimsPolicy {
  return async (user, client, scope, target) => {
    const values = {
      ...address,
      ...userValues(user),
      client: client.id,
      scope: scope.join(" "),
      scopes: [...scope],
    };
    const rules = added.filter((rule) => rule.in.includes(target) && holdsFor(rule, user, scope));
    const filled = rules.map(({ set, overage }) => {
      const claims = fillMembers(set, values);
      const isTooLong = (value: unknown) =>
        Array.isArray(value) && value.length > (overage?.most ?? 0);
      return overage && Object.values(claims).some(isTooLong)
        ? fillMembers(overage.set, values)
        : claims;
    });
    return Object.assign({}, ...filled, await own?.(user, client, scope, target));
  };
}
