import type { Lab } from "../control/lab.ts";
import type { StateSources } from "./credential_state.ts";
import type { Ledger } from "./ledger.ts";

/** Gathers what decides about the credentials of a flow: each is of the server that issued it. */
export function stateSourcesOf(
  lab: Pick<Lab, "exchanges" | "handlerOf">,
  ledger: Ledger,
): StateSources {
  const exchanges = lab.exchanges();
  return {
    contextOf({ issuedBy }) {
      const issuing = exchanges.find(({ id }) => id === issuedBy);
      return lab.handlerOf(issuing ?? {}).context;
    },
    ledger,
    exchanges,
  };
}
