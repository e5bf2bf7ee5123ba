import type { Lab } from "../control/lab.ts";
import { drawFlowsOf } from "../flows/flow_diagrams.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";
import { makeReport, uncleanExchanges, uncleanMessage } from "../report/report.ts";
import type { LabHistory } from "../report/report_rule.ts";
import { LabError } from "../util/lab_error.ts";
import type { LabParts } from "./lab_parts.ts";

/** The members of a lab that return what was recorded. */
export type LabEvidence = Pick<
  Lab,
  "requests" | "waitForRequest" | "nextRequest" | "flows" | "report" | "assertClean"
>;

/** Creates the members of a lab that return what was recorded. */
export function createEvidence(parts: LabParts, idleFaults: () => string[]): LabEvidence {
  const { recorder, timeline, values, waits, leniencies } = parts;
  const report = () =>
    makeReport(
      historyOfClients(parts),
      { idleFaults: idleFaults(), leniencies: leniencies(), chosenValues: values.uses() },
    );
  return {
    requests: (filter) => recorder.list(filter),
    waitForRequest: (filter, options) => waitForRequest(recorder, waits, filter, options),
    async nextRequest(filter, milliseconds) {
      const { request, cancel } = recorder.next(filter);
      return await waits.within(milliseconds, request).finally(cancel);
    },
    flows: () => timeline.list(),
    report,
    assertClean(options) {
      const result = report();
      const message = uncleanMessage(result, options);
      if (message === undefined) return;
      const diagrams = drawFlowsOf(uncleanExchanges(result, options), historyOf(parts));
      throw new LabError([message, diagrams].filter(Boolean).join("\n\n"));
    },
  };
}

/** Returns what clients did as such: no replay of the lab, no request to the test's own routes. */
function historyOfClients(parts: LabParts): LabHistory {
  const history = historyOf(parts);
  return {
    ...history,
    exchanges: history.exchanges.filter(({ replayOf, isOwnRoute = false }) =>
      replayOf === undefined && !isOwnRoute
    ),
  };
}

/** Returns everything that was recorded, as reports and diagrams read it. */
export function historyOf({ issuer, recorder, timeline, clock, server }: LabParts): LabHistory {
  const { lifetimes } = server.current().context.settings;
  return {
    issuer,
    exchanges: recorder.all(),
    flows: timeline.list(),
    now: clock.now(),
    codeLifetime: lifetimes.code * 1000,
  };
}
