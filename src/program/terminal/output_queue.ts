import { endOfTurn } from "../../runtime/turn.ts";

const megabyte = 1024 * 1024;

/**
 * Queues output to a stream whose reader may be slow or gone, and writes it piece by piece. An
 * unread pipe takes 64 kB; a direct write would then block the server. A write costs as much as
 * everything else that is done for a line, so all lines of a turn of the event loop share one, and
 * under load those of some milliseconds.
 */
export function createOutputQueue(
  write: (text: string) => Promise<void>,
  describeDropped: (lines: number) => string,
  { maxLength = megabyte, collectTime = 0 }: {
    /** How much waits at most, in characters. */
    maxLength?: number;
    /** How long lines are collected after a write, so that they share the next one, in ms. */
    collectTime?: number;
  } = {},
) {
  const buffer = createTextBuffer(maxLength, describeDropped);
  const collecting = createPause();
  let writing: Promise<void> | undefined;
  let isWriteOpen = false;
  let writtenAt = -Infinity;

  function startWriting(): void {
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    while (!buffer.isEmpty()) {
      await waitForMore();
      // A process that ends has taken the rest.
      if (!buffer.isEmpty()) await writeQueued();
    }
    writing = undefined;
  }

  function waitForMore(): Promise<void> {
    const isUnderLoad = performance.now() - writtenAt < collectTime;
    return isUnderLoad ? collecting.begin(collectTime) : endOfTurn();
  }

  async function writeQueued(): Promise<void> {
    isWriteOpen = true;
    // The reader may have gone.
    await write(buffer.takeAll()).catch(() => {});
    isWriteOpen = false;
    writtenAt = performance.now();
  }

  return {
    /** Queues text that must not be lost. */
    print(text: string): void {
      buffer.add(text);
      startWriting();
    },
    /** Queues a line of the log, or drops it when the queue is full. */
    log(line: string): void {
      if (buffer.addIfRoom(line)) startWriting();
    },
    /** Resolves when everything is written. */
    async flush(): Promise<void> {
      collecting.end();
      await writing;
    },
    /**
     * Returns what waits to be written, for a process that ends before, and forgets it.
     * While a write is not finished, its reader is too slow for more, and nothing is returned.
     */
    takeRest: () => buffer.isEmpty() || isWriteOpen ? "" : buffer.takeAll(),
  };
}

/**
 * Creates a buffer of text that waits to be written, up to a length in characters. It counts the
 * lines that found no room.
 */
export function createTextBuffer(
  maxLength: number,
  describeDropped: (lines: number) => string,
) {
  let text = "";
  let dropped = 0;

  function add(line: string): void {
    text += `${line}\n`;
  }

  return {
    isEmpty: () => text === "",
    /** Adds a line that must not be lost. */
    add,
    /** Adds a line, or drops it if there is no room. Returns whether it was added. */
    addIfRoom(line: string): boolean {
      const hasRoom = text.length + line.length < maxLength;
      if (hasRoom) add(line);
      else dropped++;
      return hasRoom;
    },
    /** Returns all text, with a note on the dropped lines, and forgets it. */
    takeAll(): string {
      if (dropped > 0) add(describeDropped(dropped));
      const all = text;
      text = "";
      dropped = 0;
      return all;
    },
  };
}

/** Creates a pause that can be cut short. */
function createPause() {
  let end = () => {};
  return {
    begin: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
