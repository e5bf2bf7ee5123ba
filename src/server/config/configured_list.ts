import { once } from "../util/time/promises.ts";

/** The clients or the users of a configuration. What wraps a server can change one of them. */
export interface ConfiguredList<Config, Entry> {
  has(name: string): boolean;
  /** Returns what the server makes of an entry when it is first needed. Later it is there at once. */
  get(name: string): Entry | Promise<Entry> | undefined;
  /** Makes all of them. */
  all(): Promise<Entry[]>;
  /** Returns them as they are configured: another list after each change. */
  list(): readonly Config[];
  /**
   * Adds an entry, or replaces the one with its name in its place.
   *
   * @throws {ConfigError} It is invalid; nothing has changed. The error has its problems alone.
   */
  put(entry: Config): void;
  remove(name: string): void;
}

/** Creates the list of what was configured. */
export function createConfiguredList<Config, Entry>(
  configured: readonly Config[],
  { nameOf, make, check }: {
    nameOf(entry: Config): string;
    make(entry: Config): Promise<Entry>;
    /** Checks a new entry; `all` are the others with it. */
    check(entry: Config, all: Config[]): void;
  },
): ConfiguredList<Config, Entry> {
  function madeOf(entry: Config): () => Entry | Promise<Entry> {
    let known: Entry | undefined;
    const makeOnce = once(async () => known = await make(entry));
    return () => known ?? makeOnce();
  }

  const made = new Map(configured.map((entry) => [nameOf(entry), madeOf(entry)]));
  let listed = configured;
  return {
    has: (name) => made.has(name),
    get: (name) => made.get(name)?.(),
    all: () => Promise.all([...made.values()].map((make) => make())),
    list: () => listed,
    put(entry) {
      const name = nameOf(entry);
      const at = listed.findIndex((each) => nameOf(each) === name);
      const all = at < 0 ? [...listed, entry] : listed.toSpliced(at, 1, entry);
      check(entry, all);
      made.set(name, madeOf(entry));
      listed = all;
    },
    remove(name) {
      made.delete(name);
      listed = listed.filter((each) => nameOf(each) !== name);
    },
  };
}
