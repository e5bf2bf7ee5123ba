import { storeOptions } from "../../administration/store_command.ts";
import type { Command } from "../../command_line/command.ts";
import { earlierSecretVariable } from "../../configuration/secret_variables.ts";

/** Replaces the secret that encrypts keys in the store, because it has leaked. */
export const keyReseal: Command = {
  name: "key reseal",
  help: "re-encrypts the keys in the store with a new HALLPASS_SECRET; put the old one into " +
    `${earlierSecretVariable}, and stop every server first`,
  examples: ["hallpass key reseal --config hallpass.json"],
  options: storeOptions,
  run: async (...call) => (await import("./run_reseal_command.ts")).runResealCommand(...call),
};
