import type { UserConfig } from "../config/user_config.ts";
import { type DirectoryEntry, listUsers } from "../issuer/admin/directory_entries.ts";
import {
  addUser,
  disableUser,
  removeUser,
  setPassword,
  signOutUser,
} from "../issuer/admin/manage_users.ts";
import type { User } from "../model/user.ts";
import { type Command, operandOf } from "./command.ts";
import { printRows, type TableRow } from "./listing.ts";
import type { Option } from "./options.ts";
import { readPassword } from "./password_command.ts";
import { changeCommand, type StoreCall, storeCommand } from "./store_access.ts";

const sub: Option = {
  name: "sub",
  valueName: "TEXT",
  help: "the subject that clients see; it never changes (default: the name)",
};
const claim: Option = {
  name: "claim",
  valueName: "NAME=VALUE",
  repeatable: true,
  help: "a claim for clients, such as email=a@b.example or email_verified=true; may be repeated",
  problem: (value) => /^\w[\w:/.-]*=/.test(value) ? undefined : "must be NAME=VALUE",
};

/** The commands for users. */
export const userCommands: readonly Command[] = [
  storeCommand({
    name: "user list",
    help: "lists the users of the configuration and of the store",
    async run({ ctx, invocation, terminal }) {
      const users = await listUsers(ctx);
      printRows(invocation, terminal, users.map(rowOf), "There are no users.");
    },
  }),
  storeCommand({
    name: "user add",
    operandName: "NAME",
    help: "adds a user to the store, with the password from standard input",
    options: [sub, claim],
    run: add,
  }),
  storeCommand({
    name: "user password",
    operandName: "NAME",
    help: "sets a user's password from standard input, and signs the user out everywhere",
    async run({ ctx, invocation, terminal }) {
      const name = operandOf(invocation, "NAME");
      await setPassword(ctx, name, await readPassword(terminal));
      terminal.print(`done: user password ${name}`);
    },
  }),
  changeCommand({
    name: "user disable",
    operandName: "NAME",
    help: "disables a user; their sessions and tokens end immediately, for good",
    change: (ctx, name) => disableUser(ctx, name, true),
  }),
  changeCommand({
    name: "user enable",
    operandName: "NAME",
    help: "enables a user again, who then has to sign in again",
    change: (ctx, name) => disableUser(ctx, name, false),
  }),
  changeCommand({
    name: "user sign-out",
    operandName: "NAME",
    help: "signs a user out everywhere and revokes what was issued to their applications",
    change: signOutUser,
  }),
  changeCommand({
    name: "user remove",
    operandName: "NAME",
    help: "removes a user and everything they allowed",
    change: removeUser,
  }),
];

async function add({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const { values } = invocation;
  const config: UserConfig = {
    name: operandOf(invocation, "NAME"),
    password: await readPassword(terminal),
    claims: Object.fromEntries((values.get("claim") ?? []).map(parseClaim)),
  };
  const chosenSub = values.get("sub")?.at(-1);
  const { name, subject } = await addUser(ctx, chosenSub ? { ...config, sub: chosenSub } : config);
  terminal.print(
    values.has("json")
      ? JSON.stringify({ name, sub: subject }, null, 2)
      : `Added the user ${name} with the 'sub' ${subject}.`,
  );
}

/**
 * Parses NAME=VALUE. A value in JSON may be a number, a boolean or an object; any other is text.
 */
function parseClaim(claim: string): [name: string, value: unknown] {
  const equals = claim.indexOf("=");
  const name = claim.slice(0, equals);
  const text = claim.slice(equals + 1);
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}

function rowOf({ from, value }: DirectoryEntry<User>): TableRow {
  return {
    name: value.name,
    sub: value.subject,
    from,
    state: value.disabled ? "disabled" : "enabled",
  };
}
