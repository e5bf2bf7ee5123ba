import type { Exchange } from "./exchange.ts";

/** How many steps examine a full record. Every request waits for a step, so each is short. */
export const examinations = 4;

/**
 * Called before exchanges are forgotten, for many at a time: to examine the whole record, or to
 * take the next of several steps.
 */
export type OnForget = (step?: number) => void;

/** Decides when a full record is examined, before its oldest exchanges make room for newer ones. */
export function createExaminationSchedule(onForget: OnForget) {
  /** The newest exchange that may be forgotten without a call of `onForget`. */
  let lastAnnounced = 0;
  let step = 0;
  /** The newest exchange at each of the last steps; empty until the whole record was examined. */
  let newestSeen: number[] = [];

  return {
    /** Takes the next step, unless an earlier one was taken for this exchange as well. */
    beforeForgetting({ id }: Exchange, list: () => readonly Exchange[]): void {
      if (id <= lastAnnounced) return;
      const all = list();
      // All steps are taken while half of the record is forgotten. The newer half is still there
      // the next time: what two requests show together is found then.
      const count = Math.floor(all.length / 2 / examinations);
      lastAnnounced = all[count - 1]?.id ?? id;
      const newest = all.at(-1)?.id ?? id;
      // Small exchanges may have replaced a few large ones since, unseen by earlier steps.
      const [earliest = 0] = newestSeen;
      const wereSeen = earliest >= lastAnnounced;
      onForget(wereSeen ? step : undefined);
      newestSeen = wereSeen
        ? [...newestSeen.slice(1), newest]
        : Array(examinations - 1).fill(newest);
      step = (step + 1) % examinations;
    },
    /** Makes the next step examine the whole record. */
    restart(): void {
      newestSeen = [];
    },
  };
}
