import { AdminError, type DirectoryEntry, listClients } from "../issuer/admin/directory_entries.ts";
import { addClient, disableClient, removeClient } from "../issuer/admin/manage_clients.ts";
import { randomSecret } from "../issuer/random.ts";
import { type Client, isPublic } from "../model/client.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { messageOf } from "../util/error_message.ts";
import { isObject } from "../util/json.ts";
import { clientOptions, readClientOptions } from "./client_options.ts";
import { type Command, operandOf, UsageError } from "./command.ts";
import { printableJson, printRows, type TableRow } from "./listing.ts";
import type { Option } from "./options.ts";
import { changeCommand, type StoreCall, storeCommand } from "./store_access.ts";

const secret: Option = { name: "secret", help: "make a secret and print it once" };
const stdin: Option = {
  name: "stdin",
  help: "read further members from standard input, as JSON like in a configuration",
};

/** The commands for clients. */
export const clientCommands: readonly Command[] = [
  storeCommand({
    name: "client list",
    help: "lists the clients of the configuration and of the store",
    async run({ ctx, invocation, terminal }) {
      const clients = await listClients(ctx);
      printRows(invocation, terminal, clients.map(rowOf), "There are no clients.");
    },
  }),
  storeCommand({
    name: "client show",
    operandName: "ID",
    help: "shows everything about a client except its secret",
    run: show,
  }),
  storeCommand({
    name: "client add",
    operandName: "ID",
    help: "adds a client to the store",
    options: [secret, stdin, ...clientOptions],
    run: add,
  }),
  changeCommand({
    name: "client disable",
    operandName: "ID",
    help: "disables a client; its tokens stop working immediately, for good",
    change: (ctx, id) => disableClient(ctx, id, true),
  }),
  changeCommand({
    name: "client enable",
    operandName: "ID",
    help: "enables a client again, which then needs new tokens",
    change: (ctx, id) => disableClient(ctx, id, false),
  }),
  changeCommand({
    name: "client remove",
    operandName: "ID",
    help: "removes a client and everything issued to it",
    change: removeClient,
  }),
];

async function show({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const id = operandOf(invocation, "ID");
  const entry = (await listClients(ctx)).find(({ value }) => value.id === id);
  if (!entry) throw new AdminError(`There is no client '${id}'.`);
  const { name } = entry.value;
  terminal.print(printableJson({ id, name, from: entry.from, ...settingsOf(entry.value) }));
}

/** What the server notes about a client, and its secrets. */
const unshown: ReadonlySet<string> = new Set(
  ["secretHash", "encryptedSecret", "hasLongSecret", "instance", "epoch"] satisfies Array<
    keyof Client
  >,
);

function settingsOf({ registration, ...client }: Client): object {
  const settings = Object.entries(client).filter(([name]) => !unshown.has(name));
  if (!registration) return Object.fromEntries(settings);
  const { tokenHash: _token, ...shown } = registration;
  return { ...Object.fromEntries(settings), registration: shown };
}

async function add({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const { values, operand } = invocation;
  const generated = values.has("secret") ? { secret: randomSecret(ctx) } : {};
  const config = {
    ...values.has("stdin") ? parseObject(await terminal.readInput()) : {},
    ...readClientOptions(invocation),
    ...generated,
    ...operand ? { id: operand } : {},
  };
  // `addClient` checks what came from outside.
  const { id } = await addClient(ctx, config as ClientConfig);
  if (values.has("json")) return terminal.print(JSON.stringify({ id, ...generated }, null, 2));
  terminal.print(`Added the client ${id}.`);
  if (generated.secret) terminal.print(`Its secret, shown only this once: ${generated.secret}`);
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`Standard input is not JSON: ${messageOf(cause)}`);
  }
  throw new UsageError("Standard input must hold a JSON object.");
}

function rowOf({ from, value }: DirectoryEntry<Client>): TableRow {
  return {
    id: value.id,
    name: value.name,
    kind: kindOf(value),
    grants: value.grantTypes.join(" "),
    from: value.registration ? "registration" : from,
    state: value.disabled ? "disabled" : "enabled",
  };
}

function kindOf(client: Client): string {
  if (client.native) return "native";
  return isPublic(client) ? "public" : "confidential";
}
