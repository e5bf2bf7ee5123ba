import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { isOrdinaryError } from "../../flows/flow_outcome.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { LabListener } from "../../recording/lab_event.ts";
import { describeRefusal, refusalOf } from "../../recording/refusal.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { Fault } from "../faults/fault.ts";
import type { ObservedTraffic } from "./variants/drill_outcome.ts";

/** The parts of a lab that a drill needs. */
export interface WatchedLab {
  readonly context: Context;
  fault(name: FaultName, conditions?: { times?: number }): Fault;
  faults: { remove(id: string): void };
  readonly clients: { list(): readonly ClientConfig[] };
  flows(): readonly FlowTrace[];
  exchanges(): readonly Exchange[];
  subscribe(listener: LabListener): () => void;
}

/** A request that the lab refused. */
interface WatchedRefusal {
  /** Its number. */
  request: number;
  description: string;
}

/** Watches a lab while an application meets a variant. */
export function watchLab(lab: WatchedLab) {
  // Tests at the tenants of a lab go on during the drill.
  const isOwn = ({ tenant }: { tenant?: string | undefined }) => tenant === undefined;
  const flows = () => lab.flows().filter(isOwn);
  const exchanges = () => lab.exchanges().filter(isOwn);
  const usesBefore = new Map(flows().map(({ id, uses }) => [id, uses]));
  const lastId = exchanges().at(-1)?.id ?? 0;
  const sids: string[] = [];
  const logoutStatuses: number[] = [];
  const end = lab.subscribe((event) => {
    if (event.type === "sign_in.succeeded") sids.push(event.sid);
    if (event.type === "fault.fired" && event.status !== undefined) {
      logoutStatuses.push(event.status);
    }
  });
  return {
    /** Returns the requests since the start that the lab refused: what follows from one is later. */
    refusals: (): WatchedRefusal[] =>
      exchanges().filter(({ id }) => id > lastId).flatMap((each) => {
        const refusal = refusalOf(each);
        const isFinal = refusal && !isOrdinaryError(refusal.error);
        return isFinal ? [{ request: each.id, description: describeRefusal(refusal) }] : [];
      }),
    /** Returns the sessions that began since the start. */
    sids: (): readonly string[] => sids,
    /** Returns the id of the flow that began since the start. */
    newFlow: () => flows().find(({ id }) => !usesBefore.has(id))?.id,
    /** Returns what the lab saw since the start. */
    observed: (): ObservedTraffic => ({
      usesToken: flows().some(({ id, uses }) => uses > (usesBefore.get(id) ?? 0)),
      knowsKeys: exchanges().some(({ request }) => request.endpoint === "jwks"),
      requests: exchanges().filter(({ id }) => id > lastId).map(({ request }) => request),
      logoutStatuses,
    }),
    end,
  };
}
