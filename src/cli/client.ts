import type { Client } from "../protocol/client.ts";
import { isPublic } from "../protocol/client.ts";
import { isObject } from "../protocol/json.ts";
import type { ClientConfig } from "../config/client_config.ts";
import type { Context } from "../issuer/context.ts";
import type { Known } from "../issuer/admin/known.ts";
import { listClients } from "../issuer/admin/known.ts";
import { addClient, disableClient, removeClient } from "../issuer/admin/manage_clients.ts";
import { randomSecret } from "../issuer/random.ts";
import { Refused } from "../issuer/admin/refused.ts";
import { change, operandOf } from "./change.ts";
import { clientOptions, readClientOptions } from "./client_options.ts";
import type { Call, Command, World } from "./command.ts";
import { done } from "./command.ts";
import { messageOf } from "../protocol/message_of.ts";
import type { Line } from "./listing.ts";
import { printableJson, printLines } from "./listing.ts";
import type { Option } from "./options.ts";
import { onStore, storeOptions } from "./on_store.ts";
import { UsageError } from "./usage_error.ts";

const secret: Option = { name: "secret", help: "make a secret, and print it once" };
const stdin: Option = { name: "stdin", help: "read further members as JSON from standard input, as a configuration has them" };

/** What an operator can do with the clients of a store. */
export const clientCommands: readonly Command[] = [
  {
    name: "client list",
    help: "lists the clients of the configuration and of the store",
    options: storeOptions,
    run: (call, world) =>
      onStore(call, world, async (ctx) => printLines(call, world, (await listClients(ctx)).map(lineOf), "There are no clients.")),
  },
  {
    name: "client show",
    takes: "ID",
    help: "shows everything about a client, but no secret",
    options: storeOptions,
    run: (call, world) => onStore(call, world, (ctx) => show(ctx, operandOf(call, "ID"), world)),
  },
  {
    name: "client add",
    takes: "ID",
    help: "adds a client to the store",
    options: [...storeOptions, secret, stdin, ...clientOptions],
    run: (call, world) => onStore(call, world, (ctx) => add(ctx, call, world)),
  },
  change(
    ["client disable", "ID"],
    "disables a client: its tokens stop working at once, for good",
    (ctx, id) => disableClient(ctx, id, true),
  ),
  change(["client enable", "ID"], "enables a client again, which then needs new tokens", (ctx, id) => disableClient(ctx, id, false)),
  change(["client remove", "ID"], "removes a client, and everything that was issued to it", removeClient),
];

async function add(ctx: Context, call: Call, world: World): Promise<number> {
  const given = call.values.has("stdin") ? parseObject(await world.input()) : {};
  const made = call.values.has("secret") ? { secret: randomSecret(ctx) } : {};
  const id = call.operand ? { id: call.operand } : {};
  // The shape of what came from outside is checked where the client is added.
  const client = await addClient(ctx, { ...given, ...readClientOptions(call), ...made, ...id } as ClientConfig);
  if (call.values.has("json")) world.print(JSON.stringify({ id: client.id, ...made }, null, 2));
  else world.print([`Added the client ${client.id}.`, ...made.secret ? [`Its secret, shown this once: ${made.secret}`] : []].join("\n"));
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

async function show(ctx: Context, id: string, world: World): Promise<number> {
  const found = (await listClients(ctx)).find(({ value }) => value.id === id);
  if (!found) throw new Refused(`There is no client '${id}'.`);
  const { secretHash: _hash, sealedSecret: _sealed, registration, ...told } = found.value;
  const { tokenHash: _token, ...registered } = registration ?? {};
  world.print(printableJson({ from: found.from, ...told, registration: registration && registered }));
  return done;
}

function lineOf({ from, value }: Known<Client>): Line {
  return {
    id: value.id,
    name: value.name,
    kind: value.native ? "native" : isPublic(value) ? "public" : "confidential",
    grants: value.grantTypes.join(" "),
    from: value.registration ? "registration" : from,
    state: value.disabled ? "disabled" : "enabled",
  };
}
