import type { AdminContext, Administration, Extent } from "../../administration/administration.ts";
import { describeExtent, shownExtent } from "../../administration/extent.ts";
import { AdminError, LockedError, maxLockTime } from "../../server/issuer/records/lock.ts";
import { type Command, type Invocation, operandOf, type Option } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import { config, issuer, json, profile, serverPort, store } from "../command_line/options.ts";
import { success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeNotified, type Notified } from "./notifications.ts";

/** How long a command waits for a lock, in milliseconds: longer than one that died can hold it. */
const lockTimeout = maxLockTime + 1000;
const lockPause = 100;

/** How long a command waits for a lock before it says so, in milliseconds. */
const quietTime = 1000;

const waits =
  "Another command is changing the same entry, or ended in the middle: waiting for up " +
  `to ${maxLockTime / 1000} seconds.`;

const stillLocked = new Error(
  "Another command is still changing the same entry. Try again later.",
);

/** The clock of a command that waits, in milliseconds. */
const realTime = {
  now: () => performance.now(),
  sleep: (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

const yes: Option = {
  name: "yes",
  help: "do not ask; without a terminal, nothing is asked anyway",
};

/** The options of every command that works on the store of a server. */
export const storeOptions: readonly Option[] = [
  config,
  { ...store, help: "the store to work on, instead of the configuration's" },
  serverPort,
  issuer,
  profile,
  json,
];

/** What a command on a store works with. */
export interface StoreCall {
  /** Makes changes, and records them. */
  admin: Administration;
  ctx: AdminContext;
  invocation: Invocation;
  terminal: Terminal;
  /** Waits until applications know of the sessions that ended. */
  notified(): Promise<Notified>;
}

/** Makes a command that opens the configured store. A server may use the store at the same time. */
export function storeCommand({ options = [], run, ...command }: Omit<Command, "options" | "run"> & {
  /** Options besides those of every such command. */
  options?: readonly Option[];
  run(call: StoreCall): Promise<void>;
}): Command {
  return {
    ...command,
    options: [...options, ...storeOptions],
    async run(invocation, terminal) {
      const { withConfiguredStore } = await import("./configured_store.ts");
      await withConfiguredStore(
        invocation,
        terminal,
        (admin, ctx, notified) => run({ admin, ctx, invocation, terminal, notified }),
      );
      return success;
    },
  };
}

/** Makes a command that changes one entry of the store and reports what it did. */
export function changeCommand(
  { change, confirm, ...command }: Pick<Command, "name" | "help" | "examples"> & {
    operandName: string;
    /**
     * Returns what a person at the terminal is asked about: "the client 'web' and 14
     * authorizations". Throws if there is nothing to change.
     */
    confirm?(admin: Administration, id: string): Promise<string>;
    /** Makes the change, and returns what ended or went with it. */
    change(admin: Administration, id: string, ctx: AdminContext): Promise<Extent | void>;
  },
): Command {
  return storeCommand({
    ...command,
    options: confirm ? [yes] : [],
    async run(call) {
      const { admin, ctx, invocation, terminal } = call;
      const id = operandOf(invocation, command.operandName);
      if (confirm) await checkConfirmed(invocation, terminal, () => confirm(admin, id));
      const extent = await whenUnlocked(() => change(admin, id, ctx), terminal);
      await printDone(call, id, extent ?? {});
    },
  });
}

/** Makes a change as soon as no other command changes the same entry. */
export async function whenUnlocked<T>(
  change: () => Promise<T>,
  { printError }: Pick<Terminal, "printError">,
  { now, sleep } = realTime,
): Promise<T> {
  const start = now();
  let isQuiet = true;
  while (true) {
    try {
      return await change();
    } catch (cause) {
      if (!(cause instanceof LockedError)) throw cause;
    }
    const waited = now() - start;
    if (waited > lockTimeout) throw stillLocked;
    if (isQuiet && waited >= quietTime) printError(waits);
    isQuiet = waited < quietTime;
    await sleep(lockPause);
  }
}

async function checkConfirmed(
  { values }: Invocation,
  { prompt }: Terminal,
  describe: () => Promise<string>,
): Promise<void> {
  if (!prompt || values.has("yes")) return;
  const answer = await prompt.ask(`Remove ${await describe()}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new AdminError("Nothing was removed.");
}

/** Prints what a command did, once applications know of it. */
export async function printDone(call: StoreCall, id: string, ended: Extent = {}): Promise<void> {
  const { invocation, terminal, notified } = call;
  const { command } = invocation;
  const applications = await notified();
  const { clients, unreached } = applications;
  if (unreached.length > 0) {
    terminal.printError(
      `warning: Could not notify ${
        unreached.join(", ")
      }: each server on this store tries again later.`,
    );
  }
  const described = describeExtent(ended);
  const text = `done: ${command} ${id}${described && ` (${described})`}`;
  const notifications = { notified: clients, unreached };
  printResult(
    invocation,
    terminal,
    { command, id, ended: shownExtent(ended), ...notifications },
    text + describeNotified(applications),
  );
}
