import type { AdminContext } from "../../server/issuer/admin/changes.ts";
import {
  AdminError,
  type DirectoryEntry,
  findStored,
  listClients,
  placeOfClient,
} from "../../server/issuer/admin/directory_entries.ts";
import { describeExtent, extentOfClient } from "../../server/issuer/admin/extent.ts";
import { disableClient, removeClient } from "../../server/issuer/admin/manage_clients.ts";
import { type Client, isPublic } from "../../server/model/client.ts";
import { changeCommand } from "../administration/change_command.ts";
import { type StoreCall, storeCommand } from "../administration/store_access.ts";
import { type Command, operandOf } from "../command_line/command.ts";
import { printableJson, printRows, type TableRow } from "../command_line/listing.ts";

/** Lists clients. */
export const clientList: Command = storeCommand({
  name: "client list",
  help: "lists the clients of the configuration and of the store",
  async run({ ctx, invocation, terminal }) {
    const clients = await listClients(ctx);
    printRows(invocation, terminal, clients.map(rowOf), "There are no clients.");
  },
});

/** Shows a client. */
export const clientShow: Command = storeCommand({
  name: "client show",
  operandName: "ID",
  help: "shows everything about a client except its secret",
  run: show,
});

/** Disables a client. */
export const clientDisable: Command = changeCommand({
  name: "client disable",
  operandName: "ID",
  help: "disables a client; its tokens stop working immediately, for good",
  change: (ctx, id) => disableClient(ctx, id, true),
});

/** Enables a client. */
export const clientEnable: Command = changeCommand({
  name: "client enable",
  operandName: "ID",
  help: "enables a client again, which then needs new tokens",
  change: (ctx, id) => disableClient(ctx, id, false),
});

/** Removes a client. */
export const clientRemove: Command = changeCommand({
  name: "client remove",
  operandName: "ID",
  help: "removes a client and everything issued to it",
  examples: [
    "hallpass client remove web",
    "hallpass client remove web --yes",
  ],
  confirm: describeClient,
  change: removeClient,
});

async function describeClient(ctx: AdminContext, id: string): Promise<string> {
  await findStored(ctx, placeOfClient(ctx, id));
  return [`the client '${id}'`, describeExtent(await extentOfClient(ctx, id))]
    .filter(Boolean).join(" with ");
}

async function show({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const id = operandOf(invocation, "ID");
  const entry = (await listClients(ctx)).find(({ value }) => value.id === id);
  if (!entry) throw new AdminError(`There is no client '${id}'.`);
  const { name } = entry.value;
  terminal.print(printableJson({ id, name, from: entry.from, ...settingsOf(entry.value) }));
}

/** What the server notes about a client, and its secrets. */
const unshown: ReadonlySet<string> = new Set(
  [
    "secrets",
    "givenSettings",
    "instance",
    "epoch",
  ] satisfies Array<keyof Client>,
);

function settingsOf({ registration, ...client }: Client): object {
  const settings = Object.entries(client).filter(([name]) => !unshown.has(name));
  if (!registration) return Object.fromEntries(settings);
  const { tokenHash: _token, ...shown } = registration;
  return { ...Object.fromEntries(settings), registration: shown };
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
