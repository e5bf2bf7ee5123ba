import type { UserConfig } from "../../server/config/user_config.ts";
import { type Claims, groupsScope } from "../../server/model/claims.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import { type Invocation, operandOf, type Option, valueOf } from "../command_line/command.ts";
import { claim, parseClaim } from "./claim_option.ts";

export const newUserOptions: readonly Option[] = [
  {
    name: "sub",
    valueName: "TEXT",
    help: "the subject that clients see; it never changes (default: the name)",
  },
  claim,
  {
    name: "group",
    valueName: "NAME",
    repeatable: true,
    help: "a group of the user, for the claim and scope 'groups'; may be repeated",
  },
  {
    name: "reuse",
    help: "take a name of the last year's removed users; applications may mix the two up",
  },
];

/** Reads the user that a command adds, without a password. */
export function readNewUser(
  invocation: Invocation,
): [config: UserConfig, options: { reusesName: boolean }] {
  const { values } = invocation;
  const claims = Object.fromEntries((values.get("claim") ?? []).map(parseClaim));
  const sub = valueOf(invocation, "sub");
  return [{
    name: operandOf(invocation, "NAME"),
    claims: withGroups(claims, { added: values.get("group") ?? [], removed: [] }),
    ...sub && { sub },
  }, { reusesName: values.has("reuse") }];
}

/** Describes what many applications need and a new user lacks. */
export function describeLack({ name, claims = {} }: UserConfig): string {
  const missing = [
    claims.name === undefined && ["no name", '--claim name="…"'],
    claims.email_verified !== true && ["no verified e-mail address", "--claim email_verified=true"],
  ].filter((each) => each !== false);
  if (missing.length === 0) return "";
  if (claims[groupsScope] === undefined) missing.push(["no group", "--add group=…"]);
  const [lacks, options] = [0, 1].map((at) => missing.map((each) => each[at]));
  return `\nApplications may need what ${name} lacks: ${lacks?.join(", ")}. To add it: ` +
    `hallpass user set ${shellQuote(name)} ${options?.join(" ")}`;
}

/** Adds a user to groups, and takes them out of others. A user without any has no such claim. */
export function withGroups(
  claims: Claims,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Claims {
  if (added.length + removed.length === 0) return claims;
  const { [groupsScope]: before = [], ...others } = claims;
  const groups = new Set([before].flat().concat(added));
  for (const name of removed) groups.delete(name);
  return groups.size > 0 ? { ...others, [groupsScope]: [...groups] } : others;
}
