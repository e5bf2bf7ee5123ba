import type { Context } from "../../server/issuer/context.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { Fault } from "../faults/fault.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { LabListener } from "../recording/lab_event.ts";
import type { Sighting } from "./drill_outcome.ts";

/** The parts of a lab that a drill needs. */
export interface DrillTarget {
  readonly context: Context;
  fault(name: FaultName): Fault;
  faults: { remove(id: string): void };
  flows(): ReadonlyArray<{ id: string; uses: number }>;
  exchanges(): ReadonlyArray<Pick<Exchange, "id" | "request">>;
  subscribe(listener: LabListener): () => void;
}

/** Watches a lab while an application meets a variant. */
export function watchLab(lab: DrillTarget) {
  const usesBefore = new Map(lab.flows().map(({ id, uses }) => [id, uses]));
  const lastId = lab.exchanges().at(-1)?.id ?? 0;
  const sids: string[] = [];
  const logoutStatuses: number[] = [];
  const end = lab.subscribe((event) => {
    if (event.type === "sign_in.succeeded") sids.push(event.sid);
    if (event.type === "fault.fired" && event.status !== undefined) {
      logoutStatuses.push(event.status);
    }
  });
  return {
    /** Returns the sessions that began since the start. */
    sids: (): readonly string[] => sids,
    /** Returns the id of the flow that began since the start. */
    newFlow: () => lab.flows().find(({ id }) => !usesBefore.has(id))?.id,
    /** Returns what the lab saw since the start. */
    sighting: (): Omit<Sighting, "succeeded" | "fired"> => ({
      usesToken: lab.flows().some(({ id, uses }) => uses > (usesBefore.get(id) ?? 0)),
      knowsKeys: lab.exchanges().some(({ request }) => request.endpoint === "jwks"),
      requests: lab.exchanges().filter(({ id }) => id > lastId).map(({ request }) => request),
      logoutStatuses,
    }),
    end,
  };
}
