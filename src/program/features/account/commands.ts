import type { MadePasswordLink } from "../../../server/features/account/password_links.ts";
import { needsPasskey } from "../../../server/issuer/users/sign_in_factor.ts";
import { findUser } from "../../../server/issuer/users/users.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { describeLack, newUserOptions, readNewUser } from "../../administration/new_user.ts";
import {
  changeCommand,
  type StoreCall,
  storeCommand,
  whenUnlocked,
} from "../../administration/store_command.ts";
import { type Command, operandOf } from "../../command_line/command.ts";
import { printResult, printRows } from "../../command_line/listing.ts";
import { anyPort, UsageError } from "../../terminal/exit_code.ts";

const loadLinks = () => import("../../../server/features/account/password_links.ts");

export const passwordLinkCommands: readonly Command[] = [
  storeCommand({
    name: "user invite",
    operandName: "NAME",
    help:
      "prints a link by which a new user chooses a password: it works once, for a day; adds the " +
      "user to the store, if there is none",
    examples: [
      'hallpass user invite dora --claim name="Dora Doe" --claim email=dora@example.org ' +
      "--claim email_verified=true --group staff",
    ],
    options: newUserOptions,
    run: invite,
  }),
  storeCommand({
    name: "user reset",
    operandName: "NAME",
    help:
      "prints a link by which a user replaces a forgotten password: it works once, for a day, and " +
      "then signs the user out everywhere",
    run: reset,
  }),
  storeCommand({
    name: "user links",
    help: "lists the links by which users can choose a password, without their secrets",
    run: listLinks,
  }),
  changeCommand({
    name: "user unlink",
    operandName: "NAME",
    help: "revokes the link by which a user can choose a password",
    change: async (_admin, name, ctx) => (await loadLinks()).revokePasswordLink(ctx, name),
  }),
];

async function invite(call: StoreCall): Promise<void> {
  const { admin, ctx, invocation, terminal } = call;
  checkAddress(call);
  const name = operandOf(invocation, "NAME");
  const [config, options] = readNewUser(invocation);
  const isNew = !await admin.users.exists(name);
  if (isNew) await whenUnlocked(() => admin.users.add(config, options), terminal);
  else if (newUserOptions.some(({ name: option }) => invocation.values.has(option))) {
    throw new UsageError(`There is already a user ${name}. To change claims: hallpass user set`);
  }
  const { createPasswordLink } = await loadLinks();
  const link = await whenUnlocked(() => createPasswordLink(ctx, name, "invite"), terminal);
  const user = await findUser(ctx, name);
  const passkey = user && needsPasskey(ctx.settings, user)
    ? `\n${name} must sign in by passkey, too. To print the link for it: ` +
      `hallpass user passkeys ${shellQuote(name)} --reset`
    : "";
  printLink(call, name, link, `${isNew ? describeLack(config) : ""}${passkey}`);
}

async function reset(call: StoreCall): Promise<void> {
  checkAddress(call);
  const name = operandOf(call.invocation, "NAME");
  const { createPasswordLink } = await loadLinks();
  const reset = () => createPasswordLink(call.ctx, name, "reset");
  printLink(call, name, await whenUnlocked(reset, call.terminal));
}

/** Another process does not know the port that a server got. */
function checkAddress({ ctx: { settings } }: StoreCall): void {
  const { port } = new URL(settings.frontChannelUrl);
  if (port === "0") throw anyPort("the server", "--issuer URL or --port");
}

function printLink(
  { invocation, terminal }: StoreCall,
  name: string,
  { url, until: time }: MadePasswordLink,
  lack = "",
): void {
  const until = new Date(time).toISOString();
  const text =
    `A link for ${name}, shown only this once. It works once, until ${until}; whoever has it ` +
    `can choose the password:\n${url}${lack}`;
  printResult(invocation, terminal, { name, url, until }, text);
}

async function listLinks({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const links = await (await loadLinks()).listPasswordLinks(ctx);
  const rows = links.map(({ userName, kind, until }) => ({
    user: userName,
    kind,
    until: new Date(until).toISOString(),
  }));
  await printRows(invocation, terminal, rows, "There are no links.");
}
