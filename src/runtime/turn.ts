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

/** For how long this process has had a processor, in milliseconds. */
function usedTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Creates a clock that goes on while this process has a processor: one with a quota, or on a busy
 * machine, must not take what it was kept from for time that it needed. It goes on at a tenth of the
 * pace while the process waits, perhaps for a disk.
 */
export function createProcessorClock(now = () => performance.now(), used = usedTime) {
  let [readAt, usedThen, time] = [now(), used(), 0];
  return (): number => {
    const passed = now() - readAt;
    // To read what was used takes as long as a twentieth of a request.
    if (passed < 1) return time;
    const usedNow = used();
    // Other threads of the process use processors, too.
    time += Math.max(passed / 10, Math.min(passed, usedNow - usedThen));
    [readAt, usedThen] = [readAt + passed, usedNow];
    return time;
  };
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
