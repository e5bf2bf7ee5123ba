import type { Lab } from "../../../../src/lab/lab.ts";
import { present } from "../../../support/present.ts";

/** Returns the number of the last token request. */
export function lastToken(lab: Lab): number {
  return present(lab.exchanges().findLast(({ request }) => request.endpoint === "token")).id;
}
