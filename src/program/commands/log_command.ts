import type { AdminChange } from "../../administration/administration.ts";
import { parseDuration } from "../../server/util/time/duration.ts";
import { type StoreCall, storeCommand } from "../administration/store_command.ts";
import { type Command, type Option, valueOf } from "../command_line/command.ts";
import { printRows, type TableRow } from "../command_line/listing.ts";

/** The beginning of a date in ISO 8601. */
const isDate = /^\d{4}-\d{2}/;

const since: Option = {
  name: "since",
  valueName: "TIME",
  help: "only changes since then: a duration such as 7d, or a date such as 2026-11-21",
  problem: (value) =>
    startOf(value, 0) === undefined
      ? "must be a duration such as 7d, or a date such as 2026-11-21"
      : undefined,
};
const about: Option = {
  name: "about",
  valueName: "NAME",
  help: "only changes of this client, user, key, session or authorization",
};

export const log: Command = storeCommand({
  name: "log",
  help: "shows what administrators changed in the last year: when, who and what",
  examples: [
    "hallpass log --since 7d",
    "hallpass log --about web --json",
  ],
  options: [since, about],
  run: printChanges,
});

async function printChanges({ admin, ctx, invocation, terminal }: StoreCall): Promise<void> {
  const start = startOf(valueOf(invocation, "since") ?? "", ctx.now());
  const target = valueOf(invocation, "about");
  const changes = (await admin.changes.list(start))
    .filter((change) => target === undefined || change.target === target);
  await printRows(invocation, terminal, changes.map(rowOf), "There are no changes.");
}

function rowOf({ at, by, command, target, details }: AdminChange): TableRow {
  return {
    time: new Date(at).toISOString(),
    by,
    command,
    target,
    details: details.join("; "),
  };
}

/** Returns the time that a duration before now, or a date, stands for, in milliseconds. */
function startOf(text: string, now: number): number | undefined {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return Math.max(0, now - seconds * 1000);
  // A runtime reads almost any text as a date: "1" is one of 2001.
  const time = isDate.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}
