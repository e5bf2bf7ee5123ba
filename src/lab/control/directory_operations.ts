import type { Directory } from "../directory.ts";
import type { Lab } from "../lab.ts";
import type { Operation, OperationCall } from "./operation.ts";

/** What can be done with the users of a lab, and likewise with its clients. The shape of an entry is checked where it is put. */
export function directoryOperations<T>(
  what: string,
  segment: string,
  of: (lab: Lab) => Directory<T>,
  toEntry: (body: OperationCall["body"], name: string) => T,
  put: Pick<Operation, "summary" | "body">,
): Operation[] {
  const all = `/${what}s`;
  const one = `${all}/${segment}`;
  return [
    {
      method: "GET",
      path: all,
      summary: `The ${what}s that there are.`,
      act: (lab) => of(lab).list(),
    },
    {
      method: "GET",
      path: one,
      summary: `One ${what}.`,
      act: (lab, { segment }) => of(lab).get(segment),
    },
    {
      method: "PUT",
      path: one,
      ...put,
      act: (lab, { segment, body }) => of(lab).put(toEntry(body, segment)),
    },
    {
      method: "DELETE",
      path: one,
      summary: `Removes a ${what}.`,
      act: (lab, { segment }) => of(lab).remove(segment),
    },
  ];
}
