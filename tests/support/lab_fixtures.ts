import type { Lab } from "../../src/lab/lab.ts";
import type { OperationRow } from "./operation_rows.ts";

/** What a feature of a lab adds to the tests of the whole lab. */
export interface LabFixtures {
  /** Its operations over HTTP, by "METHOD path". */
  operations: Record<string, OperationRow>;
  /** Does with it what its operations list, change, remove or repeat. */
  use?(lab: Lab): unknown;
  /** Returns what it remembers. */
  stateOf?(lab: Lab): unknown;
}
