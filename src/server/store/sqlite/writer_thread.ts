import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { createDeferred, type Deferred } from "../../util/time/promises.ts";
import { type RowResult, type RowStatement, statementTexts } from "./statements.ts";

/** Writes to commit together, each of them some statements. */
type Group = ReadonlyArray<readonly RowStatement[]>;

type Results = readonly RowResult[][];

/** What the thread sends after a group: its results, or why it was not committed. */
interface Reply {
  results: Results;
  problem?: string;
}

/** What the thread gets: a file, the settings of its connection, and what it prepares. */
interface WriterData {
  path: string;
  settings: readonly string[];
  texts: typeof statementTexts;
}

/**
 * Writes to a file in a thread of its own, which begins with the first write: while the disk
 * works, this thread responds. SQLite publishes a commit to other connections after its `fsync`, so
 * a reader never sees what is not durable.
 */
export function createWriterThread(
  path: string,
  settings: readonly string[],
  onFailure?: (cause: Error) => void,
) {
  // The thread opens the file later, whatever the working directory is by then.
  const absolutePath = resolve(path);
  let thread: Worker | undefined;
  let waiting: Deferred<Results> | undefined;
  let failure: Error | undefined;
  let isClosing = false;

  function start(): Worker {
    const workerData: WriterData = { path: absolutePath, settings, texts: statementTexts };
    // As text, it needs no file, which a bundle or a binary would lack. It gets none of the options
    // of this process, such as modules to load first, and no environment: to copy it, Deno would ask
    // at a terminal whether the program may read all of it.
    const options = { eval: true, execArgv: [], env: {}, workerData };
    const started = new Worker(`(${writeGroups})()`, options);
    started.on("message", ({ results, problem }: Reply) => {
      if (problem === undefined) waiting?.resolve(results);
      else waiting?.reject(new Error(problem));
    });
    started.on("error", fail);
    started.on("exit", fail);
    return started;
  }

  /** A thread that has ended is not replaced: what made it end is unknown. */
  function fail(cause: unknown): void {
    if (failure || isClosing) return;
    failure = new Error("The thread that writes to the SQLite file has ended.", { cause });
    waiting?.reject(failure);
    onFailure?.(failure);
  }

  async function send(group: Group): Promise<Results> {
    check();
    thread ??= start();
    waiting = createDeferred();
    // The process goes on while it waits for this, and for nothing else of the thread.
    thread.ref();
    thread.postMessage(group);
    try {
      return await waiting.promise;
    } finally {
      thread.unref();
    }
  }

  function check(): void {
    if (failure) throw failure;
  }

  return {
    /** Commits a group of writes. Call it once at a time. */
    commit: send,
    /** Throws if the thread has ended. */
    check,
    /** Closes the connection of the thread, and ends it. */
    async close(): Promise<void> {
      if (!thread || failure || isClosing) return;
      await send([]);
      isClosing = true;
      await thread.terminate();
    },
  };
}

/** What the thread does. It runs as text, so it names nothing of this module. */
function writeGroups(): void {
  const { process } = globalThis as unknown as { process: NodeJS.Process };
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { path, settings, texts } = workerData as WriterData;
  let connection: ReturnType<typeof connect> | undefined;

  function connect() {
    const database = new DatabaseSync(path);
    for (const setting of settings) database.prepare(setting).all();
    const prepare = ([name, [how, text]]: [string, readonly ["get" | "all" | "run", string]]) =>
      [name, { how, statement: database.prepare(text) }] as const;
    return { database, prepared: Object.fromEntries(Object.entries(texts).map(prepare)) };
  }

  function makeGroup(group: Group): Reply {
    try {
      const { database, prepared } = connection ??= connect();
      database.exec("BEGIN IMMEDIATE");
      const results = group.map((write) =>
        write.map(([name, ...parameters]) => {
          const { how, statement } = prepared[name]!;
          const result = statement[how](...parameters);
          return how === "run" ? Number((result as { changes: number }).changes) : result;
        })
      );
      database.exec("COMMIT");
      return { results: results as RowResult[][] };
    } catch (cause) {
      rollBack();
      return { results: [], problem: (cause as Error).message };
    }
  }

  function rollBack(): void {
    try {
      connection?.database.exec("ROLLBACK");
    } catch {
      // Some errors end the transaction themselves.
    }
  }

  parentPort?.on("message", (group: Group) => {
    if (group.length > 0) return parentPort.postMessage(makeGroup(group));
    connection?.database.close();
    parentPort.postMessage({ results: [] });
  });
}
