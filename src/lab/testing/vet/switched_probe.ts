import type { Fault } from "../../faults/fault.ts";
import type { LabProbe } from "../../faults/probe.ts";

/** The probe of all labs of a test file, which passes each request on to the one of a run. */
export interface SwitchedProbe {
  probe: LabProbe;
  /** Passes requests on from now on. Returns a function that ends this. */
  switchTo(probe: LabProbe): () => void;
}

export function createSwitchedProbe(): SwitchedProbe {
  let current: LabProbe | undefined;
  // A lab keeps the list, so it is always the same one.
  const faults: Fault[] = [];
  const change = (next: LabProbe | undefined) => {
    current = next;
    faults.splice(0, faults.length, ...next?.faults ?? []);
  };
  return {
    probe: {
      faults,
      observe: async (exchange, context) => await current?.observe(exchange, context),
      observeLogoutToken: (token, status) => current?.observeLogoutToken(token, status),
    },
    switchTo(probe) {
      change(probe);
      return () => change(undefined);
    },
  };
}
