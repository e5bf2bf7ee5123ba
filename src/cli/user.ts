import type { User } from "../protocol/user.ts";
import type { UserConfig } from "../config/user_config.ts";
import type { Context } from "../issuer/context.ts";
import type { Known } from "../issuer/admin/known.ts";
import { listUsers } from "../issuer/admin/known.ts";
import { addUser, disableUser, removeUser, setPassword, signOutUser } from "../issuer/admin/manage_users.ts";
import { change, operandOf } from "./change.ts";
import type { Call, Command, World } from "./command.ts";
import { done } from "./command.ts";
import type { Line } from "./listing.ts";
import { printLines } from "./listing.ts";
import type { Option } from "./options.ts";
import { onStore, storeOptions } from "./on_store.ts";
import { readPassword } from "./password.ts";

const sub: Option = { name: "sub", value: "TEXT", help: "the subject that clients see, which never changes (default the name)" };
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
    run: (call, world) =>
      onStore(call, world, async (ctx) => printLines(call, world, (await listUsers(ctx)).map(lineOf), "There are no users.")),
  },
  {
    name: "user add",
    takes: "NAME",
    help: "adds a user to the store, with the password that comes by standard input",
    options: [...storeOptions, sub, claim],
    run: (call, world) => onStore(call, world, (ctx) => add(ctx, call, world)),
  },
  {
    name: "user password",
    takes: "NAME",
    help: "gives a user the password that comes by standard input, and signs them out everywhere",
    options: storeOptions,
    run: (call, world) =>
      onStore(call, world, async (ctx) => {
        const name = operandOf(call, "NAME");
        await setPassword(ctx, name, await readPassword(world));
        world.print(`done: user password ${name}`);
        return done;
      }),
  },
  change(
    ["user disable", "NAME"],
    "disables a user: their sessions and tokens end at once, for good",
    (ctx, name) => disableUser(ctx, name, true),
  ),
  change(["user enable", "NAME"], "enables a user again, who then has to sign in anew", (ctx, name) => disableUser(ctx, name, false)),
  change(
    ["user sign-out", "NAME"],
    "signs a user out everywhere: their sessions end, and what was issued to their applications is revoked",
    signOutUser,
  ),
  change(["user remove", "NAME"], "removes a user, and everything that they allowed", removeUser),
];

async function add(ctx: Context, call: Call, world: World): Promise<number> {
  const config: UserConfig = {
    name: operandOf(call, "NAME"),
    sub: call.values.get("sub")?.at(-1),
    password: await readPassword(world),
    claims: Object.fromEntries((call.values.get("claim") ?? []).map(readClaim)),
  };
  const { name, subject } = await addUser(ctx, config);
  world.print(
    call.values.has("json") ? JSON.stringify({ name, sub: subject }, null, 2) : `Added the user ${name}, whose 'sub' is ${subject}.`,
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

function lineOf({ from, value }: Known<User>): Line {
  return { name: value.name, sub: value.subject, from, state: value.disabled ? "disabled" : "enabled" };
}
