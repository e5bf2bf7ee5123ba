import type { FaultPlace } from "../../responses/places.ts";
import type { FaultName } from "./catalogue.ts";
import type { FaultOptions, QueuedResponse, RemovableFault } from "./fault.ts";
import type { FaultList } from "./faults.ts";

/** What a test can do to make the lab misbehave. */
export interface FaultTools {
  /**
   * Makes the lab misbehave: `lab.fault("token.server_error", { client: "web", times: 1 })`. With
   * `using fault = lab.fault(…)`, the fault ends with the block, whether or not it fired.
   */
  fault(name: FaultName, conditions?: Omit<FaultOptions, "name">): RemovableFault;
  /** The faults that the test added, and how often each one fired. */
  readonly faults: FaultList;
  /**
   * Queues a response, which the lab sends in place of the server's, once unless `times` says
   * otherwise: `lab.next("userinfo", { status: 503 })`.
   */
  next(at: FaultPlace, response?: QueuedResponse): RemovableFault;
}
