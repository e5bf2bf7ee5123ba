import { endOfTurn } from "../../runtime/turn.ts";
import { createTextBuffer } from "./text_buffer.ts";

/** Output to a stream whose reader may be slow or gone. */
export interface OutputQueue {
  /** Queues text that must not be lost. */
  print(text: string): void;
  /** Queues a line of the log, or drops it when the queue is full. */
  log(line: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
  /**
   * Returns what waits to be written, for a process that ends before, and forgets it.
   * While a write is not finished, its reader is too slow for more, and nothing is returned.
   */
  takeRest(): string;
}

/** How an output queue writes. */
export interface OutputOptions {
  /** How much waits at most, in characters. */
  maxLength?: number;
  /** How long lines are collected after a write, so that they share the next one, in ms. */
  collectTime?: number;
}

const megabyte = 1024 * 1024;

/**
 * Queues output and writes it piece by piece. An unread pipe takes 64 kB; a direct write would then
 * block the server. A write costs as much as everything else that is done for a line, so all lines
 * of a turn of the event loop share one, and under load those of some milliseconds.
 */
export function createOutputQueue(
  write: (text: string) => Promise<void>,
  describeDropped: (lines: number) => string,
  { maxLength = megabyte, collectTime = 0 }: OutputOptions = {},
): OutputQueue {
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
    print(text) {
      buffer.add(text);
      startWriting();
    },
    log(line) {
      if (buffer.addIfRoom(line)) startWriting();
    },
    async flush() {
      collecting.end();
      await writing;
    },
    takeRest: () => buffer.isEmpty() || isWriteOpen ? "" : buffer.takeAll(),
  };
}

/** A pause that can be cut short. */
interface Pause {
  begin(milliseconds: number): Promise<void>;
  end(): void;
}

function createPause(): Pause {
  let end = () => {};
  return {
    begin: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
