import process from "node:process";
import { setImmediate } from "node:timers";

/** Resolves at the end of this turn of the event loop. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Calls back at the end of this turn of the event loop. */
export function afterTurn(next: () => void): void {
  setImmediate(next);
}

/** Calls back once every promise that could resolve has: they come before the next tick. */
export function afterPromises(next: () => void): void {
  queueMicrotask(() => process.nextTick(next));
}

/**
 * Resolves after a whole turn of the event loop: what has arrived by now has been read, and other
 * parts of this process know which connections have ended.
 */
export async function endOfNextTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}

/** Creates a gate that the first one in each turn passes at once, and all others at its end. */
export function createTurnGate(): () => Promise<void> | undefined {
  let turn: Promise<void> | undefined;

  async function begin(): Promise<void> {
    await endOfTurn();
    turn = undefined;
  }

  return () => {
    if (turn) return turn;
    turn = begin();
    return undefined;
  };
}
