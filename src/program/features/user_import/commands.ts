import { type StoreCall, storeCommand } from "../../administration/store_command.ts";
import type { Command } from "../../command_line/command.ts";

/** The commands that move users from and to other programs. */
export const userFileCommands: readonly Command[] = [
  storeCommand({
    name: "user import",
    operandName: "FILE",
    help: "adds the users of a file to the store: JSON lines, or CSV; users who exist are skipped",
    details: "A line of JSON is a user of the configuration: " +
      '{"name": "ada", "sub": "…", "passwordHash": "…", "claims": {"email": "…"}, "disabled": false}. ' +
      "The first line of a CSV file names its columns: name, sub, passwordHash, disabled, groups " +
      "(with spaces between them), and claims. passwordHash may be of hallpass password, PBKDF2 of " +
      "Django, passlib or Werkzeug, bcrypt (on Bun), or argon2 (on Bun, and Node from 24.7); the " +
      "next sign-in replaces it. The passkeys that user export prints work where the host of the " +
      "issuer is the same. If any line is wrong, no user is added. Repeat an import that was " +
      "interrupted: it goes on where it ended.",
    examples: ["hallpass user import users.csv"],
    run: async (call: StoreCall) => (await import("./import_users.ts")).importUsers(call),
  }),
  storeCommand({
    name: "user export",
    help: "prints the users of the store and their passkeys as JSON lines, which user import reads",
    examples: ["hallpass user export --passwords > users.jsonl"],
    options: [{ name: "passwords", help: "with the hashes of their passwords" }],
    run: async (call: StoreCall) => (await import("./export_users.ts")).exportUsers(call),
  }),
];
