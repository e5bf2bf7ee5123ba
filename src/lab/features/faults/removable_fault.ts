import type { Fault, RemovableFault } from "./fault.ts";
import type { FaultList } from "./faults.ts";

/** Adds the function that removes a fault. JSON leaves it out: it is not part of the data. */
export function makeRemovable(faults: FaultList, fault: Fault): RemovableFault {
  const remove = () => {
    if (faults.list().includes(fault)) faults.remove(fault.id);
  };
  return Object.defineProperties(fault, {
    remove: { value: remove },
    [Symbol.dispose]: { value: remove },
  }) as RemovableFault;
}
