import type { Fault, RemovableFault } from "./fault.ts";
import type { FaultList } from "./faults.ts";

/** Adds to a fault how it is removed. The functions are no part of its data. */
export function makeRemovable(faults: FaultList, fault: Fault): RemovableFault {
  const remove = () => {
    if (faults.list().includes(fault)) faults.remove(fault.id);
  };
  return Object.defineProperties(fault, {
    remove: { value: remove },
    [Symbol.dispose]: { value: remove },
  }) as RemovableFault;
}
