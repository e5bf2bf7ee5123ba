import { ConfigError } from "../../server/config/problems.ts";
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

export function createDirectory<T>(source: {
  /** What an entry is, for error messages. */
  what: string;
  nameOf(entry: T): string;
  read(): readonly T[];
  /** @throws {ConfigError} The entry is invalid; nothing has changed. */
  put(entry: T): void;
  remove(name: string): void;
  /** Called with all entries after one was put or removed. */
  changed(entries: readonly T[]): void;
}): Directory<T> {
  const { what, nameOf, read } = source;
  const at = (name: string) => read().findIndex((each) => nameOf(each) === name);
  const get = (name: string) => {
    const entry = read()[at(name)];
    if (!entry) throw unknownName(what, name, read().map(nameOf));
    return entry;
  };
  return {
    list: () => [...read()],
    get,
    put(entry) {
      if (!isObject(entry)) {
        throw new LabError(`Cannot set the ${what} '${showValue(entry)}': must be an object.`);
      }
      const name = nameOf(entry);
      attempt(`set the ${what} '${name}'`, () => source.put(entry));
      // An entry keeps its place: "the first client" remains the same one.
      source.changed(at(name) < 0 ? [...read(), entry] : read().toSpliced(at(name), 1, entry));
      return entry;
    },
    remove(name) {
      get(name);
      source.remove(name);
      source.changed(read().filter((each) => nameOf(each) !== name));
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
