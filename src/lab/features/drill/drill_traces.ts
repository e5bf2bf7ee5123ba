import {
  list as listAuthorizations,
  remove as removeAuthorization,
} from "../../../administration/authorizations.ts";
import { end as endSession, list as listSessions } from "../../../administration/sessions.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { isViolation } from "../../findings/finding.ts";
import { unfoldFindings } from "../verdicts/fold.ts";
import type { DrillResult } from "./drill_result.ts";
import { applicationFoldRules } from "./fold_rules.ts";
import type { WatchedLab } from "./watch_lab.ts";

/** Makes what the clients of a drill sent since a request a part of it. */
export function claimRequests(
  lab: WatchedLab,
  { number, lastId, isOf }: {
    number: number;
    lastId: number;
    isOf(client: string | undefined): boolean;
  },
): void {
  const clients = new Map(
    lab.flows().flatMap(({ client, steps }) => steps.map(({ exchange }) => [exchange, client])),
  );
  for (const exchange of lab.exchanges().filter(({ id }) => id > lastId)) {
    const { id, tenant, request } = exchange;
    if (tenant === undefined && isOf(request.client ?? clients.get(id))) exchange.drill = number;
  }
}

/** Ends what began in a drill: its sessions, and what was issued in them. */
export async function endDrill({ context, ...lab }: WatchedLab, number: number): Promise<void> {
  const events = lab.exchanges().flatMap(({ drill, events }) => drill === number ? events : []);
  const sids = events.flatMap((event) => event.type === "sign_in.succeeded" ? event.sid : []);
  await endSessions(context, sids);
  for await (const { id, sid = "" } of listAuthorizations(context)) {
    if (sids.includes(sid)) await removeAuthorization(context, id);
  }
}

/** Ends the sessions with some ids, and waits until the applications got their logout tokens. */
export async function endSessions(ctx: Context, sids: readonly string[]): Promise<void> {
  for await (const { session: { sid } } of listSessions(ctx)) {
    if (sids.includes(sid)) await endSession(ctx, sid);
  }
  await ctx.background.idle();
}

/** Marks the flows that show what was found, the worst in each, for who looks at them. */
export function markFindings(lab: WatchedLab, { accepted, findings }: DrillResult): void {
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  for (const finding of unfoldFindings(findings, applicationFoldRules)) {
    const { id, where } = finding;
    const isAccepted = accepted.some(({ fault }) => fault === id);
    if (!isAccepted && !isViolation(finding)) continue;
    const steps = lab.flows().find((flow) => flow.id === where.flow)?.steps
      .flatMap(({ exchange }) => exchanges.get(exchange) ?? []) ?? [];
    if (steps.some((each) => each.finding)) continue;
    // A logout token follows the last step.
    const shown = steps.find(({ faults }) => faults.some((fault) => fault === id)) ?? steps.at(-1);
    if (shown) shown.finding = { id, isAccepted };
  }
}
