import { AdminError } from "../issuer/admin/admin_error.ts";
import { type DirectoryEntry, listClients } from "../issuer/admin/directory_entries.ts";
import { addClient, disableClient, removeClient } from "../issuer/admin/manage_clients.ts";
import type { Context } from "../issuer/context.ts";
import { randomSecret } from "../issuer/random.ts";
import { type Client, isPublic } from "../model/client.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { messageOf } from "../util/error_message.ts";
import { isObject } from "../util/json.ts";
import { change, operandOf } from "./change.ts";
import { clientOptions, readClientOptions } from "./client_options.ts";
import { type Command, done, type Invocation, type Terminal } from "./command.ts";
import { printableJson, printLines, type TableRow } from "./listing.ts";
import type { Option } from "./options.ts";
import { UsageError } from "./usage_error.ts";
import { storeOptions, withContext } from "./with_context.ts";

const secret: Option = { name: "secret", help: "make a secret, and print it once" };
const stdin: Option = {
  name: "stdin",
  help: "read further members as JSON from standard input, as a configuration has them",
};

/** What an operator can do with the clients of a store. */
export const clientCommands: readonly Command[] = [
  {
    name: "client list",
    help: "lists the clients of the configuration and of the store",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(
        invocation,
        terminal,
        async (ctx) =>
          printLines(
            invocation,
            terminal,
            (await listClients(ctx)).map(lineOf),
            "There are no clients.",
          ),
      ),
  },
  {
    name: "client show",
    takes: "ID",
    help: "shows everything about a client, but no secret",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(invocation, terminal, (ctx) => show(ctx, operandOf(invocation, "ID"), terminal)),
  },
  {
    name: "client add",
    takes: "ID",
    help: "adds a client to the store",
    options: [...storeOptions, secret, stdin, ...clientOptions],
    run: (invocation, terminal) =>
      withContext(invocation, terminal, (ctx) => add(ctx, invocation, terminal)),
  },
  change(
    ["client disable", "ID"],
    "disables a client: its tokens stop working at once, for good",
    (ctx, id) => disableClient(ctx, id, true),
  ),
  change(
    ["client enable", "ID"],
    "enables a client again, which then needs new tokens",
    (ctx, id) => disableClient(ctx, id, false),
  ),
  change(
    ["client remove", "ID"],
    "removes a client, and everything that was issued to it",
    removeClient,
  ),
];

async function add(ctx: Context, invocation: Invocation, terminal: Terminal): Promise<number> {
  const given = invocation.values.has("stdin") ? parseObject(await terminal.input()) : {};
  const made = invocation.values.has("secret") ? { secret: randomSecret(ctx) } : {};
  const id = invocation.operand ? { id: invocation.operand } : {};
  // The shape of what came from outside is checked where the client is added.
  const client = await addClient(
    ctx,
    { ...given, ...readClientOptions(invocation), ...made, ...id } as ClientConfig,
  );
  if (invocation.values.has("json")) {
    terminal.print(JSON.stringify({ id: client.id, ...made }, null, 2));
  } else {terminal.print(
      [
        `Added the client ${client.id}.`,
        ...made.secret ? [`Its secret, shown this once: ${made.secret}`] : [],
      ].join("\n"),
    );}
  return done;
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

async function show(ctx: Context, id: string, terminal: Terminal): Promise<number> {
  const found = (await listClients(ctx)).find(({ value }) => value.id === id);
  if (!found) throw new AdminError(`There is no client '${id}'.`);
  const { secretHash: _hash, encryptedSecret: _sealed, registration, ...told } = found.value;
  const { tokenHash: _token, ...registered } = registration ?? {};
  terminal.print(
    printableJson({ from: found.from, ...told, registration: registration && registered }),
  );
  return done;
}

function lineOf({ from, value }: DirectoryEntry<Client>): TableRow {
  return {
    id: value.id,
    name: value.name,
    kind: value.native ? "native" : isPublic(value) ? "public" : "confidential",
    grants: value.grantTypes.join(" "),
    from: value.registration ? "registration" : from,
    state: value.disabled ? "disabled" : "enabled",
  };
}
