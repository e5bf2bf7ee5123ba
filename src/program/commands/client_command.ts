import type { DirectoryEntry } from "../../administration/administration.ts";
import { type Client, isClientSetting, isPublic } from "../../server/model/client.ts";
import { changeCommand, type StoreCall, storeCommand } from "../administration/store_command.ts";
import { type Command, operandOf } from "../command_line/command.ts";
import { mapEach, printResult, printRows, type TableRow } from "../command_line/listing.ts";
import { printable } from "../terminal/printable.ts";

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

const byDefault = "By default, as the server has it:\n";

async function show({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const id = operandOf(invocation, "ID");
  const entry = await admin.clients.show(id);
  const { name } = entry.value;
  const from = originOf(entry);
  const settings = settingsOf(entry.value);
  const defaults = defaultsIn(settings, entry.value);
  const result = { id, name, from, ...settings, ...defaults && { defaults } };
  const given = linesOf(settings, (name) => !defaults?.includes(name));
  const others = linesOf(settings, (name) => defaults?.includes(name) ?? false);
  const text = [`${printable(id)}, from the ${from}`, given, ...others ? [byDefault + others] : []];
  printResult(invocation, terminal, result, text.join("\n\n"));
}

/** Returns a line for each setting that is not empty and not off. */
function linesOf(settings: object, isShown: (name: string) => boolean): string {
  const shown = Object.entries(settings).filter(([name, value]) =>
    isShown(name) && value !== undefined && value !== false && String(value) !== ""
  );
  const textOf = (value: unknown) => {
    const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
    if (isList) return value.join(" ");
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
  return shown.map(([name, value]) => `  ${name}`.padEnd(27) + printable(textOf(value))).join("\n");
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
