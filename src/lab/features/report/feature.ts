import { lazily } from "../../../server/util/values/memoize.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { DrillRemarks } from "../../core/remarks.ts";
import type { LabFeature } from "../../feature.ts";
import { drawFlowsOf } from "../../flows/text_diagram.ts";
import { recordedIn, type RecordedParts } from "../../handling/lab_parts.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { isOfClient, isProvoked } from "../../recording/recorder.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { LabError } from "../../util/lab_error.ts";
import { groupBy } from "../../util/lists.ts";
import type { CleanOptions } from "./calls.ts";
import { createEarlierFindings } from "./earlier_findings.ts";
import { findingsOf, uncleanExchanges, uncleanMessage } from "./failures.ts";
import { findFailures, makeReport, type MarkFindings, type Report } from "./report.ts";
import type { LabHistory, ServerHistory } from "./report_check.ts";

/** What a test can do to learn which rules its clients broke. */
export interface ReportTools {
  /** Reports the rules that the clients broke, and what they could do better. */
  report(): Report;
  /**
   * Throws if a client broke a rule, or a drill found an F or a D; with `refused`, also if the server
   * refused a request, unless because of a fault; with `reached`, also if no request reached the
   * lab. What came before a reset counts, unless an earlier call has seen it.
   *
   * @throws {LabError} There is such a finding; the message lists those of the report.
   */
  assertClean(options?: CleanOptions): void;
}

/** What the report page and closing tenants need besides these tools. */
export interface ReportInternals {
  /** Keeps results of drills that a tenant forgets, here and in every outer lab. */
  keepDrills(remarks: DrillRemarks): void;
  /** Forgets the requests, and what was found in earlier ones. */
  restartReport(): void;
}

/** Reports what the clients of a lab did wrong. */
export const report: LabFeature<ReportTools, ReportInternals> = {
  name: "report",
  open({ parts, lab, outer }) {
    const earlier = createEarlierFindings();
    const history = () => historyOfClients(parts(), lab());
    const report = () => makeReport(history(), { remarks: lab().remarks(), earlier, mark });
    // The setting is one of drills.
    const mark: MarkFindings = (findings) => {
      const { markAcknowledged } = lab() as CoreLab & { markAcknowledged?: MarkFindings };
      return markAcknowledged?.(findings) ?? [...findings];
    };

    function keepDrills(remarks: DrillRemarks): void {
      earlier.keepDrills(remarks);
      outer?.keepDrills(remarks);
    }

    return {
      tools: {
        report,
        assertClean(options) {
          const found = report();
          const present = findingsOf(found);
          const message = uncleanMessage(found, mark(earlier.unseen(present)), options);
          earlier.see(present);
          if (message === undefined) return;
          const diagrams = drawFlowsOf(uncleanExchanges(found, options), recordedIn(parts()));
          throw new LabError([message, diagrams].filter(Boolean).join("\n\n"));
        },
      },
      internals: {
        keepDrills,
        restartReport() {
          parts().record.discard();
          earlier.clear();
        },
      },
      onForget: (step) => earlier.keep(findFailures(history(), step)),
      beforeClear: () => keepDrills(lab().remarks()),
    };
  },
};

/**
 * Returns what clients did as such: no request to the test's own routes, and nothing that a drill
 * provoked.
 */
function historyOfClients({ recorder, timeline }: RecordedParts, lab: CoreLab): LabHistory {
  const traces = lazily(() => timeline.list());
  const ofDrills = idsOfDrills(recorder.all(), traces);
  const all = recorder.all().filter(({ id }) => !ofDrills.has(id));
  const exchanges = all.filter(isOfClient);
  const flows = lazily(() => traces().flatMap((flow) => withoutSteps(flow, ofDrills)));
  const servers = groupBy(exchanges, ({ tenant = "" }) => tenant).map((own): ServerHistory => {
    const [{ tenant, issuer = lab.issuer }] = own;
    return {
      tenant,
      issuer,
      exchanges: own,
      recorded: exchanges,
      beside: all.filter((each) => each.isBesideProtocol && each.tenant === tenant),
      flows: lazily(() => flows().filter((flow) => flow.tenant === tenant)),
      ...stateOf(lab.labOf(tenant), own),
    };
  });
  return { exchanges, flows, servers, requests: recorder.requests() };
}

/** Returns the ids of the requests during drills, and of what followed later in their flows. */
function idsOfDrills(
  all: readonly Exchange[],
  flows: () => readonly FlowTrace[],
): ReadonlySet<number> {
  const ids = new Set(all.filter(isProvoked).map(({ id }) => id));
  if (ids.size === 0) return ids;
  for (const { steps } of flows()) {
    if (!ids.has(steps[0]?.exchange ?? 0)) continue;
    for (const { exchange } of steps) ids.add(exchange);
  }
  return ids;
}

/** Leaves out the steps of drills; a flow that has no others is none of a client. */
function withoutSteps(flow: FlowTrace, ofDrills: ReadonlySet<number>): FlowTrace[] {
  const steps = flow.steps.filter(({ exchange }) => !ofDrills.has(exchange));
  return steps.length === 0 ? [] : [{ ...flow, steps }];
}

/** The codes of a tenant that was closed cannot be redeemed, and its time does not go on. */
function stateOf(
  server: CoreLab | undefined,
  exchanges: readonly Exchange[],
): Pick<ServerHistory, "now" | "codeLifetime" | "needsNoPkce"> {
  if (!server) {
    return { now: exchanges.at(-1)?.at ?? 0, codeLifetime: Infinity, needsNoPkce: false };
  }
  const { lifetimes } = server.context.settings;
  return {
    now: server.clock.now(),
    codeLifetime: lifetimes.code * 1000,
    needsNoPkce: server.settings.config().clientDefaults?.pkce === "optional",
  };
}
