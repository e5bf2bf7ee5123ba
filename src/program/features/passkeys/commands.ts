import { type StoreCall, storeCommand, whenUnlocked } from "../../administration/store_command.ts";
import { type Command, operandOf } from "../../command_line/command.ts";
import { printResult, printRows } from "../../command_line/listing.ts";
import { UsageError } from "../../terminal/exit_code.ts";

const loadAdministration = () => import("../../../server/features/passkeys/administer_passkeys.ts");

export const passkeyCommands: readonly Command[] = [
  storeCommand({
    name: "user passkeys",
    operandName: "NAME",
    help:
      "lists the passkeys of a user; removes one, or prints a link by which the user replaces all of " +
      "them: it works once, for an hour",
    examples: [
      "hallpass user passkeys dora --remove 3rGd…",
      "hallpass user passkeys dora --reset --lost",
    ],
    options: [
      { name: "remove", valueName: "ID", help: "remove this passkey, and sign the user out" },
      {
        name: "reset",
        help: "print a link; what the user had ends when the new passkey is stored",
      },
      { name: "lost", help: "with --reset: the passkeys, sessions and authorizations end at once" },
    ],
    run: passkeys,
  }),
];

async function passkeys(call: StoreCall): Promise<void> {
  const { values } = call.invocation;
  const [id] = values.get("remove") ?? [];
  if (values.has("lost") && !values.has("reset")) throw new UsageError("--lost needs --reset.");
  if (id !== undefined && values.has("reset")) throw new UsageError("Use --remove or --reset.");
  if (values.has("reset")) return await reset(call);
  return id === undefined ? await list(call) : await remove(call, id);
}

async function list({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const { findStoredOwner } = await loadAdministration();
  const { passkeys } = await findStoredOwner(ctx, operandOf(invocation, "NAME"));
  const dateOf = (at: number | undefined) => at === undefined ? "" : new Date(at).toISOString();
  const rows = passkeys.map(({ key, name, isBackedUp, rpId, createdAt, usedAt }) => ({
    ...{ id: key, name, kind: isBackedUp ? "synced" : "on one device", host: rpId },
    ...{ added: dateOf(createdAt), used: dateOf(usedAt) },
  }));
  await printRows(invocation, terminal, rows, "The user has no passkeys.");
}

async function remove({ ctx, invocation, terminal }: StoreCall, id: string): Promise<void> {
  const name = operandOf(invocation, "NAME");
  const { removePasskey } = await loadAdministration();
  await whenUnlocked(() => removePasskey(ctx, name, id), terminal);
  printResult(invocation, terminal, { name, removed: id }, `Removed a passkey of ${name}.`);
}

async function reset({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const name = operandOf(invocation, "NAME");
  const { createPasskeyLink } = await loadAdministration();
  const isLost = invocation.values.has("lost");
  const link = await whenUnlocked(() => createPasskeyLink(ctx, name, isLost), terminal);
  const until = new Date(link.until).toISOString();
  const text = `A link for ${name}, shown only this once. It works once, until ${until}. The ` +
    `person who uses it can sign in as ${name} from then on:\n${link.url}`;
  printResult(invocation, terminal, { name, url: link.url, until }, text);
}
