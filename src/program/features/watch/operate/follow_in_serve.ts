import { memoryStore } from "../../../../server/store/memory.ts";
import { type Configuration, readConfiguration } from "../../../configuration/configuration.ts";
import { checkSecretsPresent } from "../../../configuration/secret_variables.ts";
import type { AccompaniedServer, Companion } from "../../../operate/companion.ts";
import { createStrictServer, strictOpening } from "../../../operate/strict_server.ts";
import { followIfAsked, isOfEveryStart } from "./follow_configuration.ts";

/** Follows the configuration of a server for real use, which is replaced by another server. */
export const followInServe: Companion = (server) =>
  followIfAsked(server, {
    isOfStart: isOfEveryStart,
    read: () => readAgain(server),
    replace: (next) => server.running.replace(strictOpening(next)),
  });

/** Reads the configuration, and checks it on a store of its own: nothing is written yet. */
export async function readAgain(
  { invocation, terminal, running, configuration }: AccompaniedServer,
): Promise<Configuration> {
  const next = await readConfiguration(invocation, terminal.environment);
  const { store } = configuration.program;
  const other = next.program.store;
  try {
    checkSecretsPresent(next);
    const { issuer } = running.server;
    await createStrictServer({ issuer, ...next.server, store: memoryStore() }, next.lab);
  } finally {
    // A module opens its store again when it is read again. The server keeps the one that it has.
    if (typeof other === "object" && other !== store) await other.close();
  }
  const keepsStore = typeof store === "object" && typeof other === "object";
  return keepsStore ? { ...next, program: { ...next.program, store } } : next;
}
