import type { Lab } from "../../src/lab/lab.ts";
import type { OperationRow } from "./operation_rows.ts";

/** What a feature of a lab adds to the tests of the whole lab. */
export interface LabFixtures {
  /** Its operations over HTTP, by "METHOD path". */
  operations: Record<string, OperationRow>;
  /** Does with it what its operations list, change, remove or repeat. */
  use?(lab: Lab): unknown;
  /** Its members that no other language can have, with the reason. */
  onlyInTypeScript?: Record<string, string>;
  /** The paths below `/lab` of what it gives to files and CI, without secrets. */
  exports?: readonly string[];
  /** Returns what it remembers. */
  stateOf?(lab: Lab): unknown;
}
