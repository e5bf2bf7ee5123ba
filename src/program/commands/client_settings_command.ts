import type { ClientConfig } from "../../server/features.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { isObject } from "../../server/util/text/json.ts";
import { changedSettings, changeOptions, clientOptions } from "../administration/client_options.ts";
import type { ClientTemplate, PreparedClient } from "../administration/client_template.ts";
import { type StoreCall, storeCommand, whenUnlocked } from "../administration/store_command.ts";
import { type Command, operandOf, type Option, settingsOf } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import { mtlsCa, mtlsPort } from "../command_line/options.ts";
import { applicationTemplate } from "../features/applications/commands.ts";
import { success, UsageError } from "../terminal/exit_code.ts";

const secret: Option = { name: "secret", help: "make a secret and print it once" };
const stdin: Option = {
  name: "stdin",
  help: "read more settings from standard input, in the JSON of a configuration",
};

/** What `serve` has for certificates decides how a client may authenticate. */
const certificateOptions: readonly Option[] = [
  { ...mtlsPort, help: "the port of the server for clients that connect with a certificate" },
  mtlsCa,
];

/** How many users are read to find a group, at most. */
const maxRead = 1000;

/** What features know of clients. */
const templates: readonly ClientTemplate[] = [
  applicationTemplate,
];

export const clientSettingsCommands: readonly Command[] = [
  orListing(storeCommand({
    name: "client add",
    operandName: "ID",
    help: "adds a client to the store",
    examples: [
      ...templates.map(({ example }) => example),
      "hallpass client add web --secret --redirect-uri https://app.example/callback",
      "hallpass client add cli --native --redirect-uri http://127.0.0.1/callback",
      "hallpass client add batch --secret --grant-type client_credentials --scope read",
      "hallpass client add web --stdin < web.json",
    ],
    options: [
      ...templates.flatMap(({ options }) => options),
      secret,
      stdin,
      ...clientOptions,
      ...certificateOptions,
    ],
    run: add,
  })),
  storeCommand({
    name: "client set",
    operandName: "ID",
    help: "changes settings of a client; its tokens stay active",
    examples: [
      'hallpass client set web --name "Documents"',
      "hallpass client set web --add redirect-uri=https://app.example/mobile",
      "hallpass client set web --remove scope=write --unset name",
    ],
    options: [
      { ...secret, help: "replace every secret with a new one, and print it once" },
      stdin,
      ...clientOptions,
      ...changeOptions,
      ...certificateOptions,
    ],
    run: set,
  }),
];

/** Lists what the templates know, if that is asked for: no store is needed for it. */
function orListing(command: Command): Command {
  return {
    ...command,
    async run(...call) {
      for (const { list } of templates) if (await list(...call)) return success;
      return await command.run(...call);
    },
  };
}

async function add(call: StoreCall): Promise<void> {
  const { admin, invocation: { operand } } = call;
  let prepared: PreparedClient | undefined;
  for (const { prepare } of templates) prepared ??= await prepare(call);
  const { settings, generated } = await readSettings(call, prepared);
  const config = { ...settings, ...operand ? { id: operand } : {} };
  if (Object.keys(settings).length === 0) {
    throw new UsageError(
      "hallpass client add needs --redirect-uri URI for a client that users sign in to, or " +
        "--secret for one that acts for itself. See --help.",
    );
  }
  // The server checks what came from outside.
  const { id } = await whenUnlocked(() => admin.clients.add(config as ClientConfig), call.terminal);
  await warnOfGroups(call);
  const added = prepared?.describe(generated.secret);
  const more = added?.text ?? await describeUnknown(call, id);
  printChange(call, { id, ...generated, ...added?.result }, `Added the client ${id}.`, more);
}

/** Returns what to enter in an application that no template knows. */
async function describeUnknown({ admin, ctx }: StoreCall, id: string): Promise<string> {
  const { describeConnection } = await import("../administration/describe_connection.ts");
  const { value: client } = await admin.clients.show(id);
  const lines = describeConnection(ctx, client);
  return ["", "", "Enter this in its application:", "", ...lines].join("\n");
}

async function set(call: StoreCall): Promise<void> {
  const { admin, invocation } = call;
  const id = operandOf(invocation, "ID");
  const { settings, generated } = await readSettings(call);
  const isEmpty = Object.keys(settings).length === 0;
  if (isEmpty && !changeOptions.some(({ name }) => invocation.values.has(name))) {
    throw new UsageError("hallpass client set needs a setting to change. See --help.");
  }
  const { differences } = await whenUnlocked(() =>
    admin.clients.set(id, (current) => {
      const changed = { ...settings, ...changedSettings(invocation, current) };
      // The server checks what came from outside.
      return withoutNull({ ...current.given, ...changed }) as unknown as ClientConfig;
    }), call.terminal);
  await warnOfGroups(call);
  const text = differences.length > 0
    ? [`Changed the client ${id}:`, ...differences.map((each) => `  ${each}`)].join("\n")
    : `Nothing is different: the client ${id} has these settings already.`;
  printChange(call, { id, differences, ...generated }, text);
}

/** Warns of groups of which none of the first users is: they may be misspelled. */
async function warnOfGroups({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const missing = new Set(invocation.values.get("group"));
  if (missing.size === 0) return;
  let read = 0;
  for await (const { value: { claims } } of admin.users.list()) {
    for (const group of [claims.groups ?? []].flat()) missing.delete(String(group));
    read += 1;
    if (missing.size === 0 || read > maxRead) return;
  }
  for (const group of missing) {
    terminal.printError(`warning: No user is in the group '${group}'. Is it misspelled?`);
  }
}

/**
 * Reads what the command line and standard input set, and the secret among it that was made here.
 */
async function readSettings(
  { admin, invocation, terminal }: StoreCall,
  prepared?: PreparedClient,
): Promise<{ settings: Record<string, unknown>; generated: { secret?: string } }> {
  const { values } = invocation;
  const needsSecret = values.has("secret") || prepared?.isConfidential;
  const generated = needsSecret ? { secret: admin.clients.createSecret() } : {};
  const settings = {
    ...prepared?.settings,
    ...values.has("stdin") ? parseObject(await terminal.readInput()) : {},
    // They are checked later, as all outside input is.
    ...settingsOf(clientOptions, values),
    ...generated,
  };
  return { settings, generated };
}

/** A setting that is null or undefined has its default, as in JSON Merge Patch (RFC 7396). */
function withoutNull(settings: object): Record<string, unknown> {
  const present = Object.entries(settings).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(present);
}

function printChange(
  { invocation, terminal }: StoreCall,
  result: { id: string; secret?: string; differences?: string[] },
  text: string,
  more = "",
): void {
  const secret = result.secret ? `\nIts secret, shown only this once: ${result.secret}` : "";
  printResult(invocation, terminal, result, text + secret + more);
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
