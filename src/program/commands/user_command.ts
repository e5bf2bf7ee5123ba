import type { DirectoryEntry } from "../../administration/administration.ts";
import { shownExtent } from "../../administration/extent.ts";
import type { User } from "../../server/model/user.ts";
import { nearestName } from "../../server/util/text/nearest_name.ts";
import { claim, parseClaim } from "../administration/claim_option.ts";
import {
  describeLack,
  newUserOptions,
  readNewUser,
  withGroups,
} from "../administration/new_user.ts";
import {
  changeCommand,
  printDone,
  type StoreCall,
  storeCommand,
  whenUnlocked,
} from "../administration/store_command.ts";
import { type Command, operandOf, type Option } from "../command_line/command.ts";
import {
  mapEach,
  printableJson,
  printResult,
  printRows,
  type TableRow,
} from "../command_line/listing.ts";
import { UsageError } from "../terminal/exit_code.ts";
import { readPassword } from "../terminal/terminal.ts";

const changeGroups: readonly Option[] = [
  {
    name: "add",
    valueName: "group=NAME",
    repeatable: true,
    help: "add the user to a group; may be repeated",
    problem: groupProblem,
  },
  {
    name: "remove",
    valueName: "group=NAME",
    repeatable: true,
    help: "take the user out of a group; may be repeated",
    problem: groupProblem,
  },
];
const unset: Option = {
  name: "unset",
  valueName: "NAME",
  repeatable: true,
  help: "a claim to remove; may be repeated",
};

export const userCommands: readonly Command[] = [
  storeCommand({
    name: "user list",
    help: "lists the users of the configuration and of the store",
    async run({ admin, invocation, terminal }) {
      const rows = mapEach(admin.users.list(), rowOf);
      await printRows(invocation, terminal, rows, "There are no users.");
    },
  }),
  storeCommand({
    name: "user add",
    operandName: "NAME",
    help: "adds a user to the store; prompts for the password, or reads it from standard input",
    examples: [
      'hallpass user add dora --claim name="Dora Doe" --claim email=dora@example.org ' +
      "--claim email_verified=true",
      "hallpass user add dora --group staff --group editors < password.txt",
    ],
    asksPassword: true,
    options: newUserOptions,
    run: add,
  }),
  storeCommand({
    name: "user show",
    operandName: "NAME",
    help: "shows a user, with the number of their sessions and authorizations",
    run: show,
  }),
  storeCommand({
    name: "user set",
    operandName: "NAME",
    help: "changes claims and groups of a user; their sessions and tokens stay active",
    examples: [
      'hallpass user set dora --claim name="Dora Doe" --unset phone_number',
      "hallpass user set dora --add group=staff",
    ],
    options: [claim, ...changeGroups, unset],
    run: set,
  }),
  storeCommand({
    name: "user password",
    operandName: "NAME",
    help:
      "sets a user's password (prompted, or from standard input) and signs the user out everywhere",
    asksPassword: true,
    run: changePassword,
  }),
  changeCommand({
    name: "user disable",
    operandName: "NAME",
    help: "disables a user; their sessions and tokens end immediately and permanently",
    change: ({ users }, name) => users.disable(name),
  }),
  changeCommand({
    name: "user enable",
    operandName: "NAME",
    help: "enables a disabled user, who has to sign in again",
    change: ({ users }, name) => users.enable(name),
  }),
  changeCommand({
    name: "user sign-out",
    operandName: "NAME",
    help: "signs a user out everywhere and revokes what was issued to their applications",
    change: ({ users }, name) => users.signOut(name),
  }),
  changeCommand({
    name: "user remove",
    operandName: "NAME",
    help: "removes a user and everything they allowed",
    examples: ["hallpass user remove ada --config hallpass.json"],
    confirm: ({ users }, name) => users.describe(name),
    change: ({ users }, name) => users.remove(name),
  }),
];

async function show({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const name = operandOf(invocation, "NAME");
  const { from, value, extent } = await admin.users.show(name);
  const { subject, claims, passwordHash, passwordDigest, passkeyOnly, disabled } = value;
  terminal.print(printableJson({
    name,
    sub: subject,
    from,
    state: disabled ? "disabled" : "enabled",
    hasPassword: Boolean(passwordHash ?? passwordDigest),
    ...passkeyOnly && { passkeyOnly },
    claims,
    ...shownExtent(extent),
  }));
}

async function set({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const name = operandOf(invocation, "NAME");
  const { values } = invocation;
  const claims = Object.fromEntries((values.get("claim") ?? []).map(parseClaim));
  const unset = values.get("unset") ?? [];
  const groups = { added: groupsIn(values.get("add")), removed: groupsIn(values.get("remove")) };
  if (!["claim", "add", "remove", "unset"].some((each) => values.has(each))) {
    throw new UsageError(
      "hallpass user set needs --claim, --add, --remove or --unset. See --help.",
    );
  }
  const differences = await whenUnlocked(() =>
    admin.users.setClaims(name, (before) => {
      checkUnset(name, unset, Object.keys(before));
      const after = Object.entries({ ...before, ...claims }).filter(([each]) =>
        !unset.includes(each)
      );
      return withGroups(Object.fromEntries(after), groups);
    }), terminal);
  const text = differences.length > 0
    ? `Changed the user ${name}: ${differences.join(", ")}`
    : `Nothing is different: the user ${name} has these claims already.`;
  printResult(invocation, terminal, { name, differences }, text);
}

/** A name that the user lacks does no harm, unless another one was meant. */
function checkUnset(user: string, unset: readonly string[], names: readonly string[]): void {
  for (const name of unset.filter((each) => !names.includes(each))) {
    const nearest = nearestName(name, names);
    if (nearest === undefined) continue;
    throw new UsageError(`The user ${user} has no claim '${name}'. Did you mean '${nearest}'?`);
  }
}

async function changePassword(call: StoreCall): Promise<void> {
  const name = operandOf(call.invocation, "NAME");
  const password = await readPassword(call.terminal);
  await whenUnlocked(() => call.admin.users.setPassword(name, password), call.terminal);
  await printDone(call, name);
}

async function add({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const [config, options] = readNewUser(invocation);
  const password = await readPassword(terminal);
  const { name, subject } = await whenUnlocked(
    () => admin.users.add({ ...config, password }, options),
    terminal,
  );
  const text = `Added the user ${name} with the 'sub' ${subject}.${describeLack(config)}`;
  printResult(invocation, terminal, { name, sub: subject }, text);
}

function groupsIn(assignments: readonly string[] = []): string[] {
  return assignments.map((text) => text.replace(/^groups?=/, ""));
}

function groupProblem(assignment: string): string | undefined {
  return /^groups?=./.test(assignment) ? undefined : "must be group=NAME";
}

function rowOf({ from, value }: DirectoryEntry<User>): TableRow {
  return {
    name: value.name,
    sub: value.subject,
    from,
    state: value.disabled ? "disabled" : "enabled",
  };
}
