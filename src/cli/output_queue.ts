/** Output to a stream whose reader may be slow or gone. */
export interface OutputQueue {
  /** Queues text that must not be lost. */
  print(text: string): void;
  /** Queues a line of the log, or drops it when the queue is full. */
  log(line: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

const megabyte = 1024 * 1024;

/**
 * Queues output and writes it piece by piece. An unread pipe takes 64 kB; a direct write would then
 * block the server.
 */
export function createOutputQueue(
  write: (text: string) => Promise<void>,
  describeDropped: (lines: number) => string,
  maxLength: number = megabyte,
): OutputQueue {
  let queued = "";
  let dropped = 0;
  let writing: Promise<void> | undefined;

  function print(text: string): void {
    queued += `${text}\n`;
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    // Everything queued in the same turn is written together.
    await null;
    while (queued !== "") {
      // The reader may have gone.
      await write(takeAll()).catch(() => {});
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
  };
}
