import { storeOptions } from "../administration/store_command.ts";
import type { Command } from "../command_line/command.ts";

/** The commands that copy a store to a file and back. */
export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    operandName: "FILE",
    help: "copies the SQLite store into a new file, even while servers use it",
    examples: ["hallpass backup hallpass-2026-11-21.db --config hallpass.json"],
    options: storeOptions,
    run: async (...call) =>
      (await import("../administration/run_backup_commands.ts")).backUpStore(...call),
  },
  {
    name: "restore",
    operandName: "FILE",
    help: "replaces the store with a backup, and keeps the old store; stop every server first",
    examples: ["hallpass restore hallpass-2026-11-21.db --config hallpass.json"],
    options: storeOptions,
    run: async (...call) =>
      (await import("../administration/run_backup_commands.ts")).restoreStore(...call),
  },
];
