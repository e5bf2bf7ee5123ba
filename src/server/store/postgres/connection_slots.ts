import type { Sql } from "./driver.ts";
import type { ConnectionPath } from "./own_result.ts";

/** How long a connection may take to close, in seconds. One to a dead server never does. */
export const closeTimeout = 1;

/** A place for one connection, which opens when it is needed. */
export interface ConnectionSlot extends ConnectionPath {
  /** The connection; undefined if there is none. */
  sql: Sql | undefined;
  /** How many replacements there had been when it was opened. */
  openedAfter: number;
}

/**
 * Creates slots for connections, each of which runs one statement at a time. A slot has no new
 * connection until its old one has closed, so there are never more than slots: a client that opens
 * a second set of connections while the first one closes can occupy all places of a server.
 */
export function createConnectionSlots(open: () => Sql, maximum: number) {
  const free = Array.from(
    { length: maximum },
    (): ConnectionSlot => ({ sql: undefined, openedAfter: 0 }),
  );
  const waiting: Array<(slot: ConnectionSlot) => void> = [];
  let replacements = 0;
  let closing: Promise<void> | undefined;
  let isClosed = false;

  const borrow = () =>
    free.pop() ?? new Promise<ConnectionSlot>((resolve) => waiting.push(resolve));

  function giveBack(slot: ConnectionSlot): void {
    const next = waiting.shift();
    if (next) next(slot);
    else free.push(slot);
  }

  async function close(slot: ConnectionSlot, limit = closeTimeout): Promise<void> {
    const { sql } = slot;
    await sql?.end({ timeout: limit }).catch(() => {});
    if (slot.sql === sql) slot.sql = slot.directProcess = undefined;
  }

  async function closeAll(): Promise<void> {
    const slots: ConnectionSlot[] = [];
    while (slots.length < maximum) slots.push(await borrow());
    isClosed = true;
    await Promise.all(slots.map((slot) => close(slot)));
    slots.forEach(giveBack);
  }

  return {
    /** Lends a slot, the one that was used last if several are free. */
    borrow,
    giveBack,
    /**
     * Closes the connection of a slot; with a limit of 0 seconds, without waiting for the server.
     */
    close,
    /** Returns the connection of a borrowed slot. Opens it if there is none, or an outdated one. */
    async connect(slot: ConnectionSlot): Promise<Sql> {
      if (isClosed) throw new Error("The connections to PostgreSQL are closed.");
      if (slot.openedAfter !== replacements) await close(slot);
      slot.openedAfter = replacements;
      return slot.sql ??= open();
    },
    /** Makes all connections outdated, except the one of a slot. */
    replaceAll(kept?: ConnectionSlot): void {
      replacements++;
      if (kept) kept.openedAfter = replacements;
    },
    /** Waits for all slots, and closes their connections for good. */
    closeAll: () => closing ??= closeAll(),
  };
}
