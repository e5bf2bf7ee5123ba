import type { ServerEvent } from "../config/events.ts";

/** Runs work that no request waits for. */
export interface Background {
  /** Starts some work. If it throws, a `work.failed` event is emitted. */
  begin(task: string, work: () => Promise<void>): void;
  /** Waits until all work is done. */
  idle(): Promise<void>;
}

export function createBackground(emit: (event: ServerEvent) => void): Background {
  const running = new Set<Promise<void>>();

  async function run(task: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      emit({ type: "work.finished", what: task });
    } catch (cause) {
      emit({ type: "work.failed", what: task, cause });
    }
  }

  return {
    begin(task, work) {
      const promise = run(task, work).finally(() => running.delete(promise));
      running.add(promise);
    },
    async idle() {
      // Work may start further work.
      while (running.size > 0) await Promise.all(running);
    },
  };
}
