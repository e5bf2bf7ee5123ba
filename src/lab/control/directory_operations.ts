import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { Operation } from "../core/operation.ts";
import type { Directory } from "../lab_server/directory.ts";
import { LabError } from "../util/lab_error.ts";

/** How the users or the clients of a lab are reached over HTTP. */
interface DirectoryInterface<T> {
  /** What an entry is: "user". */
  what: string;
  /** The interface of an entry. */
  type: string;
  /** The member that names an entry, which is the open segment of the path: "name". */
  key: keyof T & string;
  directoryOf(lab: CoreLab): Directory<T>;
}

export const userOperations: readonly Operation[] = directoryOperations<UserConfig>({
  what: "user",
  type: "UserConfig",
  key: "name",
  directoryOf: (lab) => lab.users,
});

export const clientOperations: readonly Operation[] = directoryOperations<ClientConfig>({
  what: "client",
  type: "ClientConfig",
  key: "id",
  directoryOf: (lab) => lab.clients,
});

/** Returns the operations on the users or the clients of a lab. */
function directoryOperations<T>(
  { what, type, key, directoryOf }: DirectoryInterface<T>,
): Operation[] {
  const all = `/${what}s`;
  const one = `${all}/:${key}`;
  return [
    {
      name: `list-${what}s`,
      method: "GET",
      path: all,
      summary: `Lists the ${what}s.`,
      returns: `${type}[]`,
      run: (lab) => directoryOf(lab).list(),
    },
    {
      name: `show-${what}`,
      method: "GET",
      path: one,
      summary: `Returns one ${what}.`,
      returns: type,
      run: (lab, { segment }) => directoryOf(lab).get(segment),
    },
    {
      name: `put-${what}`,
      method: "PUT",
      path: one,
      summary: `Adds a ${what}, or replaces it as a whole: what is left out is gone.`,
      body: { name: type, inPath: key },
      returns: type,
      // The directory checks the shape of the entry.
      run(lab, { segment, body }) {
        const { [key]: named = segment } = body;
        if (named !== segment) {
          const problem = `${key} must be '${segment}', as in the path`;
          throw new LabError(`Cannot set the ${what} '${segment}': ${problem}.`);
        }
        return directoryOf(lab).put({ ...body, [key]: segment } as T);
      },
    },
    {
      name: `remove-${what}`,
      method: "DELETE",
      path: one,
      summary: `Removes a ${what}.`,
      run: (lab, { segment }) => directoryOf(lab).remove(segment),
    },
  ];
}
