import type { FaultList } from "./faults.ts";

/** The tenants of a lab, as far as their faults go. */
interface FaultTenants {
  ids(): string[];
  find(id: string): { faults: FaultList };
}

/** An order for a tenant stands with the tenant; it is given, seen and taken back by way of the lab as well. */
export function withTenants(own: FaultList, tenants: FaultTenants): FaultList {
  const all = () => tenants.ids().map((id) => tenants.find(id).faults);
  const given = (faults: FaultList) => faults.list().filter(({ tenant }) => tenant !== undefined);
  return {
    add({ tenant, ...order }) {
      if (tenant === undefined) return own.add(order);
      const fault = tenants.find(tenant).faults.add(order);
      return Object.assign(fault, { tenant, id: `${tenant}-${fault.id}` });
    },
    list: () => [...own.list(), ...all().flatMap(given)],
    remove(id) {
      const holder = all().find((faults) => given(faults).some((fault) => fault.id === id));
      (holder ?? own).remove(id);
    },
    idle: own.idle,
    clear() {
      own.clear();
      for (const faults of all()) for (const { id } of given(faults)) faults.remove(id);
    },
  };
}
