import { type StoreCall, storeCommand, whenUnlocked } from "../administration/store_command.ts";
import { type Command, operandOf, type Option } from "../command_line/command.ts";
import { printResult, printRows } from "../command_line/listing.ts";
import { UsageError } from "../terminal/exit_code.ts";

/** What the command can do. Exactly one of them is chosen. */
const actions: ReadonlyMap<string, (call: StoreCall, id: string) => Promise<void>> = new Map([
  ["add", add],
  ["retire", retire],
  ["drop", drop],
  ["list", list],
]);

const options: readonly Option[] = [
  { name: "add", help: "make a second secret and print it once; both are valid" },
  { name: "retire", help: "retire the earlier of two secrets" },
  { name: "drop", help: "drop the later of two secrets, if it was lost" },
  { name: "list", help: "list when the secrets were made, without showing them" },
];

/** Replaces the secret of a client without a moment in which an instance of it is refused. */
export const clientSecret: Command = storeCommand({
  name: "client secret",
  operandName: "ID",
  help: "replaces a secret without downtime: --add, then reconfigure the client, then --retire",
  examples: [
    "hallpass client secret web --add",
    "hallpass client secret web --list",
    "hallpass client secret web --retire",
  ],
  options,
  async run(call) {
    const id = operandOf(call.invocation, "ID --add | --retire | --drop | --list");
    const chosen = [...actions.keys()].filter((name) => call.invocation.values.has(name));
    const action = actions.get(chosen[0] ?? "");
    if (!action || chosen.length > 1) {
      throw new UsageError(
        "hallpass client secret needs one of --add, --retire, --drop and --list.",
      );
    }
    await action(call, id);
  },
});

async function add({ admin, invocation, terminal }: StoreCall, id: string): Promise<void> {
  const secret = await whenUnlocked(() => admin.clients.addSecret(id), terminal);
  const text = `The client ${id} has a second secret. The earlier one stays valid.
The new secret, shown only this once: ${secret}
When each instance of the client uses it: hallpass client secret ${id} --retire`;
  printResult(invocation, terminal, { id, secret }, text);
}

async function retire({ admin, invocation, terminal }: StoreCall, id: string): Promise<void> {
  await whenUnlocked(() => admin.clients.retireSecret(id), terminal);
  printResult(invocation, terminal, { id }, `The earlier secret of the client ${id} is retired.`);
}

async function drop({ admin, invocation, terminal }: StoreCall, id: string): Promise<void> {
  await whenUnlocked(() => admin.clients.dropSecret(id), terminal);
  const text = `The later secret of the client ${id} is dropped. The earlier one stays valid.`;
  printResult(invocation, terminal, { id }, text);
}

async function list({ admin, invocation, terminal }: StoreCall, id: string): Promise<void> {
  const rows = (await admin.clients.listSecrets(id)).map(({ state, since }) => ({
    state,
    since: since === undefined ? "" : new Date(since).toISOString(),
  }));
  await printRows(invocation, terminal, rows, `The client ${id} has no secret.`);
}
