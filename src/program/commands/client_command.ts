import type { DirectoryEntry } from "../../administration/administration.ts";
import { type Client, isClientSetting, isPublic } from "../../server/model/client.ts";
import { changeCommand, type StoreCall, storeCommand } from "../administration/store_command.ts";
import { type Command, operandOf } from "../command_line/command.ts";
import { mapEach, printableJson, printRows, type TableRow } from "../command_line/listing.ts";

export const clientList: Command = storeCommand({
  name: "client list",
  help: "lists the clients of the configuration and of the store",
  async run({ admin, invocation, terminal }) {
    const rows = mapEach(admin.clients.list(), rowOf);
    await printRows(invocation, terminal, rows, "There are no clients.");
  },
});

export const clientShow: Command = storeCommand({
  name: "client show",
  operandName: "ID",
  help: "shows everything about a client except its secret",
  run: show,
});

export const clientDisable: Command = changeCommand({
  name: "client disable",
  operandName: "ID",
  help: "disables a client; its tokens stop working immediately and permanently",
  change: ({ clients }, id) => clients.disable(id),
});

export const clientEnable: Command = changeCommand({
  name: "client enable",
  operandName: "ID",
  help: "enables a disabled client, which has to get new tokens",
  change: ({ clients }, id) => clients.enable(id),
});

export const clientRemove: Command = changeCommand({
  name: "client remove",
  operandName: "ID",
  help: "removes a client and everything issued to it",
  examples: [
    "hallpass client remove web",
    "hallpass client remove web --yes",
  ],
  confirm: ({ clients }, id) => clients.describe(id),
  change: ({ clients }, id) => clients.remove(id),
});

const byDefault = "default";

async function show({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const id = operandOf(invocation, "ID");
  const entry = await admin.clients.show(id);
  const { name } = entry.value;
  const from = originOf(entry);
  const settings = settingsOf(entry.value);
  const defaults = defaultsIn(settings, entry.value);
  if (invocation.values.has("json")) {
    const result = { id, name, from, ...settings, ...defaults && { defaults } };
    return terminal.print(printableJson(result));
  }
  const rows = Object.entries(settings).filter(([, value]) => !isIdle(value)).map(
    ([setting, value]) => ({
      setting,
      from: defaults?.includes(setting) ? byDefault : from,
      value: Array.isArray(value) ? value.map(textOf).join(" ") : textOf(value),
    }),
  );
  const rankOf = ({ from }: TableRow) => Number(from === byDefault);
  const ordered = rows.toSorted((one, other) => rankOf(one) - rankOf(other));
  await printRows(invocation, terminal, ordered, "");
}

/** Whether a setting is off or empty. */
function isIdle(value: unknown): boolean {
  return value === undefined || value === false || String(value) === "";
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Names the settings of a stored client that it was not given: they follow the server. */
function defaultsIn(settings: object, { givenSettings }: Client): string[] | undefined {
  const isDefault = (name: string) =>
    isClientSetting(name) && !Object.hasOwn(givenSettings ?? {}, name);
  return givenSettings && Object.keys(settings).filter(isDefault);
}

/** What the server notes about a client, its secrets, and its id, which comes first. */
const unshown: ReadonlySet<string> = new Set(
  [
    "id",
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

function originOf({ from, value }: DirectoryEntry<Client>): string {
  return value.registration ? "registration" : from;
}

function rowOf(entry: DirectoryEntry<Client>): TableRow {
  const { value } = entry;
  return {
    id: value.id,
    name: value.name,
    kind: kindOf(value),
    grants: value.grantTypes.join(" "),
    from: originOf(entry),
    state: value.disabled ? "disabled" : "enabled",
  };
}

function kindOf(client: Client): string {
  if (client.native) return "native";
  return isPublic(client) ? "public" : "confidential";
}
