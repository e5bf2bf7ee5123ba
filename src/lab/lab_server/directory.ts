import { ConfigError } from "../../server/config/problems.ts";
import type { UserConfig } from "../../server/config/user_config.ts";
import { isObject } from "../../server/util/text/json.ts";
import { showValue } from "../util/json_values.ts";
import { LabError, unknownName } from "../util/lab_error.ts";

/** The users or the clients of a lab, which can be changed while the lab runs. */
export interface Directory<T> {
  /** Returns all entries. */
  list(): T[];
  /**
   * Returns the entry with a name.
   *
   * @throws {LabError} There is no such entry.
   */
  get(name: string): T;
  /**
   * Adds an entry, or replaces the whole entry with the same name: a client without a `secret` is
   * public then. `{ ...lab.clients.get("web"), redirectUris }` keeps the other settings.
   *
   * @throws {LabError} The entry is invalid; nothing has changed.
   */
  put(entry: T): T;
  /**
   * Removes the entry with a name.
   *
   * @throws {LabError} There is no such entry.
   */
  remove(name: string): void;
}

/** Where the entries of a directory are kept. */
export interface DirectorySource<T> {
  /** What an entry is, for error messages. */
  what: string;
  nameOf(entry: T): string;
  read(): readonly T[];
  /**
   * Puts one entry, which makes these entries, in their order.
   *
   * @throws {ConfigError} The entry is invalid; nothing has changed.
   */
  put(entry: T, entries: T[]): void;
  /** Removes one entry, which leaves the others. */
  remove(name: string, others: T[]): void;
}

/** Creates the directory of users. */
export function createUserDirectory(
  source: Pick<DirectorySource<UserConfig>, "read" | "put" | "remove">,
): Directory<UserConfig> {
  return createDirectory({ ...source, what: "user", nameOf: ({ name }) => name });
}

export function createDirectory<T>(
  { what, nameOf, read, put, remove }: DirectorySource<T>,
): Directory<T> {
  const get = (name: string) => {
    const entry = read().find((each) => nameOf(each) === name);
    if (!entry) throw unknownName(what, name, read().map(nameOf));
    return entry;
  };
  /** Changes an entry in its place: lists keep their order, and "the first client" its meaning. */
  const withEntry = (entry: T) => {
    const at = read().findIndex((each) => nameOf(each) === nameOf(entry));
    return at < 0 ? [...read(), entry] : read().toSpliced(at, 1, entry);
  };
  const without = (name: string) => read().filter((each) => nameOf(each) !== name);
  return {
    list: () => [...read()],
    get,
    put(entry) {
      if (!isObject(entry)) {
        throw new LabError(`Cannot set the ${what} '${showValue(entry)}': must be an object.`);
      }
      attempt(`set the ${what} '${nameOf(entry)}'`, () => put(entry, withEntry(entry)));
      return entry;
    },
    remove(name) {
      get(name);
      remove(name, without(name));
    },
  };
}

/** Reports problems without their path: the caller has one entry, not a whole configuration. */
function attempt(task: string, change: () => void): void {
  try {
    change();
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const problems = cause.problems.map((each) => each.replace(/^\w+\[\d+\]\.?/, "").trim());
    const [field] = /^\w+/.exec(problems[0] ?? "") ?? [];
    throw new LabError(`Cannot ${task}: ${problems.join("; ")}.`, { field });
  }
}
