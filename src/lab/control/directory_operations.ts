import type { Directory } from "../lab_server/directory.ts";
import type { Lab } from "./lab.ts";
import type { BodyMembers, Operation, OperationCall } from "./operation.ts";

/** How the users or the clients of a lab are reached over HTTP. */
export interface DirectoryInterface<T> {
  /** What an entry is: "user". */
  what: string;
  /** The open segment of the path: ":name". */
  segment: string;
  directoryOf(lab: Lab): Directory<T>;
  /** Makes an entry of a body. The directory checks its shape. */
  toEntry(body: OperationCall["body"], name: string): T;
  /** The members of the body of PUT. */
  members: BodyMembers;
}

/** Returns the operations on the users or the clients of a lab. */
export function directoryOperations<T>(
  { what, segment, directoryOf, toEntry, members }: DirectoryInterface<T>,
): Operation[] {
  const all = `/${what}s`;
  const one = `${all}/${segment}`;
  return [
    {
      method: "GET",
      path: all,
      summary: `Lists the ${what}s.`,
      run: (lab) => directoryOf(lab).list(),
    },
    {
      method: "GET",
      path: one,
      summary: `Returns one ${what}.`,
      run: (lab, { segment }) => directoryOf(lab).get(segment),
    },
    {
      method: "PUT",
      path: one,
      summary: `Adds or replaces a ${what}.`,
      body: members,
      run: (lab, { segment, body }) => directoryOf(lab).put(toEntry(body, segment)),
    },
    {
      method: "DELETE",
      path: one,
      summary: `Removes a ${what}.`,
      run: (lab, { segment }) => directoryOf(lab).remove(segment),
    },
  ];
}
