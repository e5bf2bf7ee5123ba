import { ConfigError } from "../config/config_error.ts";
import { LabError, unknownName } from "./lab_error.ts";

/** Users, or clients, as data: they can be changed while the lab runs. */
export interface Directory<T> {
  /** All of them. */
  list(): T[];
  /** The one of that name; it is an error if there is none. */
  get(name: string): T;
  /** Adds one, or puts it in the place of the one with the same name; what it leaves out is forgotten. */
  put(entry: T): T;
  /** Takes the one of that name away; it is an error if there is none. */
  remove(name: string): void;
}

/** A directory over a list. `apply` takes a changed list, or refuses it, and then nothing has changed. */
export function createDirectory<T>(
  what: string,
  nameOf: (entry: T) => string,
  read: () => readonly T[],
  apply: (list: T[]) => void,
): Directory<T> {
  const get = (name: string) => {
    const entry = read().find((each) => nameOf(each) === name);
    if (!entry) throw unknownName(what, name, read().map(nameOf));
    return entry;
  };
  return {
    list: () => [...read()],
    get,
    put(entry) {
      const others = read().filter((each) => nameOf(each) !== nameOf(entry));
      attempt(`set the ${what} '${nameOf(entry)}'`, () => apply([...others, entry]));
      return entry;
    },
    remove(name) {
      get(name);
      attempt(
        `remove the ${what} '${name}'`,
        () => apply(read().filter((each) => nameOf(each) !== name)),
      );
    },
  };
}

/** The whole configuration is checked, and says where in it something is wrong; here it is one entry, whose place means nothing. */
function attempt(task: string, change: () => void): void {
  try {
    change();
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new LabError(
      `Cannot ${task}: ${
        cause.problems.map((problem) => problem.replace(/^\w+\[\d+\]\.?/, "").trim()).join("; ")
      }.`,
    );
  }
}
