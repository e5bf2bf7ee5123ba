/** What the program writes to a stream that may be slow, or that nothing reads. */
export interface OutputQueue {
  /** Writes a text that must not be lost. */
  print(text: string): void;
  /** Writes a line of the log. It is dropped where too much is waiting already. */
  log(line: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

/** How much of the log may wait, in characters. */
const megabyte = 1024 * 1024;

/**
 * Collects output and writes it piece by piece. A pipe that is not read takes no more than 64 kB;
 * writing to it directly would stop the server then.
 */
export function createOutputQueue(
  write: (text: string) => Promise<void>,
  describeDropped: (lines: number) => string,
  maxLength = megabyte,
): OutputQueue {
  let waiting = "";
  let dropped = 0;
  let writing: Promise<void> | undefined;

  function print(text: string): void {
    waiting += `${text}\n`;
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    // What follows in the same turn is written together with it.
    await null;
    while (waiting !== "") {
      // The reader may have left before us.
      await write(takeAll()).catch(() => {});
    }
    writing = undefined;
  }

  function takeAll(): string {
    const text = dropped > 0 ? `${waiting}${describeDropped(dropped)}\n` : waiting;
    waiting = "";
    dropped = 0;
    return text;
  }

  return {
    print,
    log: (line) => waiting.length + line.length < maxLength ? print(line) : void dropped++,
    flush: async () => await writing,
  };
}
