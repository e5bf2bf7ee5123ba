import type { KeyRow } from "../issuer/rows.ts";
import type { Command } from "./command.ts";
import type { Line } from "./listing.ts";
import { printLines } from "./listing.ts";
import { onStore, storeOptions } from "./open_store.ts";

/** What an operator can do with the signing keys of a store. */
export const keyCommands: readonly Command[] = [
  {
    name: "key list",
    help: "lists the signing keys",
    options: storeOptions,
    run: (call, world) =>
      onStore(call, world, async ({ records }) => {
        const keys = await records.keys.list();
        return printLines(
          call,
          world,
          keys.map(([, row]) => lineOf(row)),
          "There are no keys yet: a server makes them when it needs them.",
        );
      }),
  },
];

function lineOf({ kid, alg, sealed }: KeyRow): Line {
  return { kid, alg, sealed: sealed.startsWith("sealed:") ? "yes" : "no" };
}
