import type { Context } from "../../server/issuer/context.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { StateSources } from "./credential_state.ts";
import type { Ledger } from "./ledger.ts";

/** A lab, and those whose requests it records. */
interface LabWithTenants {
  exchanges(): readonly Exchange[];
  handlerOf(exchange: Pick<Exchange, "tenant">): { readonly context: Context };
}

/** Gathers what decides about the credentials of a flow: each is of the server that issued it. */
export function stateSourcesOf(
  lab: LabWithTenants,
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
