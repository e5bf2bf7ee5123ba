import type { KeyEntry } from "../../administration/administration.ts";
import { changeCommand, type StoreCall, storeCommand } from "../administration/store_command.ts";
import type { Command } from "../command_line/command.ts";
import { printRows, type TableRow } from "../command_line/listing.ts";

export const keyList: Command = storeCommand({
  name: "key list",
  help: "lists the signing keys",
  run: listKeys,
});

export const keyRotate: Command = storeCommand({
  name: "key rotate",
  help:
    "creates the next key of each algorithm; servers publish it within a minute, and sign with " +
    "it after the overlap",
  async run(call) {
    await call.admin.keys.rotate();
    await listKeys(call);
  },
});

export const keyRemove: Command = changeCommand({
  name: "key remove",
  operandName: "KID",
  help: "removes a key that has leaked; everything it signed becomes invalid",
  examples: ["hallpass key remove KID --config hallpass.json"],
  confirm: async ({ keys }, kid) => {
    await keys.checkExists(kid);
    return `the key '${kid}', with which everything that it signed becomes invalid`;
  },
  change: ({ keys }, kid) => keys.remove(kid),
});

async function listKeys({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const rows = (await admin.keys.list()).map(rowOf);
  await printRows(
    invocation,
    terminal,
    rows,
    "There are no keys yet: a server makes them on demand.",
  );
}

function rowOf({ kid, alg, state, from, isEncrypted }: KeyEntry): TableRow {
  const sealed = isEncrypted ? "yes" : "no";
  return {
    kid,
    alg,
    state,
    from: from === undefined ? "" : new Date(from).toISOString(),
    sealed: isEncrypted === undefined ? "" : sealed,
  };
}
