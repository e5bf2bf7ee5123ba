import type { Context } from "../../server/issuer/context.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { StateSources } from "./credential_state.ts";
import type { FlowCredentials, IssuedCredential } from "./flow_credentials.ts";

/** The lab that issued a credential. */
interface IssuingLab {
  readonly context: Context;
  originalOf(token: string): Promise<string>;
}

/** A lab, and those whose requests it records. */
interface LabWithTenants {
  exchanges(): readonly Exchange[];
  handlerOf(exchange: Pick<Exchange, "tenant">): IssuingLab | undefined;
}

/** Gathers what decides about the credentials of a flow: each is of the server that issued it. */
export function stateSourcesOf(
  lab: LabWithTenants,
  credentials: FlowCredentials,
): StateSources {
  const exchanges = lab.exchanges();
  const issuerOf = ({ issuedBy }: IssuedCredential) =>
    lab.handlerOf(exchanges.find(({ id }) => id === issuedBy) ?? {});
  return {
    contextOf: (credential) => issuerOf(credential)?.context,
    async withOriginal(credential) {
      const value = await issuerOf(credential)?.originalOf(credential.value);
      return value === undefined ? credential : { ...credential, value };
    },
    credentials,
    exchanges,
  };
}
