/** Output to a stream whose reader may be slow or gone. */
export interface OutputQueue {
  /** Queues text that must not be lost. */
  print(text: string): void;
  /** Queues a line of the log, or drops it when the queue is full. */
  log(line: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
  /**
   * Returns what waits for the end of the turn, for a process that ends before, and forgets it.
   * While a write is not finished, its reader is too slow for more, and nothing is returned.
   */
  takeRest(): string;
}

const megabyte = 1024 * 1024;

/**
 * Queues output and writes it piece by piece. An unread pipe takes 64 kB; a direct write would then
 * block the server. Everything queued in the same turn of the event loop is written together: a
 * write costs as much as everything else that is done for a line.
 */
export function createOutputQueue(
  write: (text: string) => Promise<void>,
  describeDropped: (lines: number) => string,
  maxLength: number = megabyte,
): OutputQueue {
  let queued = "";
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let isWriteOpen = false;

  function print(text: string): void {
    queued += `${text}\n`;
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    await endOfTurn();
    while (queued !== "") {
      // The reader may have gone.
      isWriteOpen = true;
      await write(takeAll()).catch(() => {});
      isWriteOpen = false;
    }
    writing = undefined;
  }

  function takeAll(): string {
    const text = dropped > 0 ? `${queued}${describeDropped(dropped)}\n` : queued;
    queued = "";
    dropped = 0;
    return text;
  }

  return {
    print,
    log(line) {
      if (queued.length + line.length < maxLength) print(line);
      else dropped++;
    },
    flush: async () => await writing,
    takeRest: () => queued === "" || isWriteOpen ? "" : takeAll(),
  };
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
