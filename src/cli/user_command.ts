import type { UserConfig } from "../config/user_config.ts";
import { type DirectoryEntry, listUsers } from "../issuer/admin/directory_entries.ts";
import {
  addUser,
  disableUser,
  removeUser,
  setPassword,
  signOutUser,
} from "../issuer/admin/manage_users.ts";
import type { Context } from "../issuer/context.ts";
import type { User } from "../model/user.ts";
import { change, operandOf } from "./change.ts";
import { type Command, done, type Invocation, type Terminal } from "./command.ts";
import { printLines, type TableRow } from "./listing.ts";
import type { Option } from "./options.ts";
import { readPassword } from "./password_command.ts";
import { storeOptions, withContext } from "./with_context.ts";

const sub: Option = {
  name: "sub",
  value: "TEXT",
  help: "the subject that clients see, which never changes (default the name)",
};
const claim: Option = {
  name: "claim",
  value: "NAME=VALUE",
  repeatable: true,
  help: "what clients are told, such as email=a@b.example or email_verified=true; may be repeated",
  problem: (value) => /^\w[\w:/.-]*=/.test(value) ? undefined : "is not NAME=VALUE",
};

/** What an operator can do with the users of a store. */
export const userCommands: readonly Command[] = [
  {
    name: "user list",
    help: "lists the users of the configuration and of the store",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(
        invocation,
        terminal,
        async (ctx) =>
          printLines(
            invocation,
            terminal,
            (await listUsers(ctx)).map(lineOf),
            "There are no users.",
          ),
      ),
  },
  {
    name: "user add",
    takes: "NAME",
    help: "adds a user to the store, with the password that comes by standard input",
    options: [...storeOptions, sub, claim],
    run: (invocation, terminal) =>
      withContext(invocation, terminal, (ctx) => add(ctx, invocation, terminal)),
  },
  {
    name: "user password",
    takes: "NAME",
    help: "gives a user the password that comes by standard input, and signs them out everywhere",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(invocation, terminal, async (ctx) => {
        const name = operandOf(invocation, "NAME");
        await setPassword(ctx, name, await readPassword(terminal));
        terminal.print(`done: user password ${name}`);
        return done;
      }),
  },
  change(
    ["user disable", "NAME"],
    "disables a user: their sessions and tokens end at once, for good",
    (ctx, name) => disableUser(ctx, name, true),
  ),
  change(
    ["user enable", "NAME"],
    "enables a user again, who then has to sign in anew",
    (ctx, name) => disableUser(ctx, name, false),
  ),
  change(
    ["user sign-out", "NAME"],
    "signs a user out everywhere: their sessions end, and what was issued to their applications is revoked",
    signOutUser,
  ),
  change(["user remove", "NAME"], "removes a user, and everything that they allowed", removeUser),
];

async function add(ctx: Context, invocation: Invocation, terminal: Terminal): Promise<number> {
  const config: UserConfig = {
    name: operandOf(invocation, "NAME"),
    sub: invocation.values.get("sub")?.at(-1),
    password: await readPassword(terminal),
    claims: Object.fromEntries((invocation.values.get("claim") ?? []).map(readClaim)),
  };
  const { name, subject } = await addUser(ctx, config);
  terminal.print(
    invocation.values.has("json")
      ? JSON.stringify({ name, sub: subject }, null, 2)
      : `Added the user ${name}, whose 'sub' is ${subject}.`,
  );
  return done;
}

/** Numbers, truth values and objects are written as JSON; everything else is a text. */
function readClaim(said: string): [name: string, value: unknown] {
  const [name, text] = [said.slice(0, said.indexOf("=")), said.slice(said.indexOf("=") + 1)];
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}

function lineOf({ from, value }: DirectoryEntry<User>): TableRow {
  return {
    name: value.name,
    sub: value.subject,
    from,
    state: value.disabled ? "disabled" : "enabled",
  };
}
