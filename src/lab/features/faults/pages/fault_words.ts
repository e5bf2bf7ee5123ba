import { counted } from "../../../../server/util/time/duration.ts";
import type { Fault } from "../fault.ts";

/** Describes when a fault fires: "client demo-spa · 2 more times · after 3 requests". */
export function describeScope(fault: Fault): string {
  const { client, tenant, state, loginHint, nth, times } = fault;
  const after = nth === undefined ? 0 : nth - 1;
  const limit = times ?? (nth === undefined ? undefined : 1);
  const words = [
    client === undefined ? "every client" : `client ${client}`,
    tenant !== undefined && `tenant ${tenant}`,
    state !== undefined && `state ${state}`,
    loginHint !== undefined && `login_hint ${loginHint}`,
    after > 0 && `after ${counted(after, "request")}`,
    limit !== undefined && timesLeft(limit - fault.fired),
  ];
  return words.filter(Boolean).join(" · ");
}

/** Whether a fault can still fire. */
export function isSpent({ times, nth, fired }: Fault): boolean {
  const limit = times ?? (nth === undefined ? Infinity : 1);
  return fired >= limit;
}

/** Describes how often a fault fired, and how many requests it met without firing. */
export function describeFirings({ met, fired }: Fault): string {
  if (met === 0) return "has met no request yet";
  if (fired === 0) return `met ${counted(met, "request")}, fired on none`;
  return `fired ${counted(fired, "time")}`;
}

function timesLeft(left: number): string {
  return left <= 0 ? "used up" : `${counted(left, "more time")}`;
}
