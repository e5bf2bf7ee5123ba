import type { FaultList } from "./faults.ts";

/** The faults of a lab's tenants. */
export interface FaultTenants {
  ids(): string[];
  find(id: string): { faults: FaultList };
}

/**
 * Adds a fault that names a tenant to the tenant, but lists and removes it with those of the lab.
 */
export function withTenants(own: FaultList, tenants: () => FaultTenants): FaultList {
  const lists = () => tenants().ids().map((id) => tenants().find(id).faults);
  const addedHere = (faults: FaultList) =>
    faults.list().filter(({ tenant }) => tenant !== undefined);
  return {
    add({ tenant, ...options }) {
      if (tenant === undefined) return own.add(options);
      const fault = tenants().find(tenant).faults.add(options);
      // The list of the tenant has the same object, and so its new id.
      return Object.assign(fault, { tenant, id: `${tenant}-${fault.id}` });
    },
    list: () => [...own.list(), ...lists().flatMap(addedHere)],
    remove(id) {
      const owner = lists().find((faults) => addedHere(faults).some((fault) => fault.id === id));
      (owner ?? own).remove(id);
    },
    idle: own.idle,
    clear() {
      own.clear();
      for (const faults of lists()) {
        for (const { id } of addedHere(faults)) faults.remove(id);
      }
    },
  };
}
