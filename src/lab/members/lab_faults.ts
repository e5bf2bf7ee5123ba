import type { FaultName } from "../faults/catalogue.ts";
import type { FaultTools } from "../faults/fault_tools.ts";
import { makeRemovable } from "../faults/removable_fault.ts";
import { type FaultTenants, withTenants } from "../faults/tenant_faults.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { type FaultPlace, places } from "../responses/places.ts";
import { LabError, unknownName } from "../util/lab_error.ts";

/** Creates the tools that make a lab, or one of its tenants, misbehave. */
export function createLabFaults({ faults: own }: LabParts, tenants: FaultTenants): FaultTools {
  const faults = withTenants(own, tenants);
  return {
    faults,
    fault: (name, scope = {}) => makeRemovable(faults, faults.add({ ...scope, name })),
    next: (at, { times = 1, ...response } = {}) =>
      makeRemovable(faults, faults.add({ ...response, times, name: preparedFault(at) })),
  };
}

/** Returns the name of the fault that sends a response of the test's own. */
function preparedFault(at: FaultPlace): FaultName {
  const names = Object.keys(places);
  if (at === undefined) throw new LabError(`'at' is missing. Choose one of: ${names.join(", ")}.`);
  if (!names.includes(at)) throw unknownName("place for a response", String(at), names);
  return `${at}.response`;
}
