import { once } from "../../server/util/time/promises.ts";
import { idleNames } from "../control/idle.ts";
import type { Lab } from "../control/lab.ts";
import { drawFlowsOf } from "../flows/flow_diagrams.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";
import { makeReport, type Report, uncleanExchanges, uncleanMessage } from "../report/report.ts";
import type { LabHistory } from "../report/report_rule.ts";
import { LabError } from "../util/lab_error.ts";

const loadFlowFile = once(() => import("../pages/flows/saved/flow_file.ts"));
const loadReplay = once(() => import("../client_role/replay/replay_request.ts"));

/** The members of a lab that return what was recorded, and what follows from it. */
export type LabEvidence = Pick<
  Lab,
  | "requests"
  | "waitForRequest"
  | "nextRequest"
  | "exchanges"
  | "clearRequests"
  | "flows"
  | "exportFlow"
  | "replay"
  | "report"
  | "assertClean"
>;

/** Creates the members of a lab that return what was recorded. */
export function createEvidence(parts: LabParts, labOf: () => Lab): LabEvidence {
  const { recorder, timeline, waits } = parts;
  return {
    requests: (filter) => recorder.list(filter),
    waitForRequest: (filter, options) => waitForRequest(recorder, waits, filter, options),
    async nextRequest(filter, milliseconds) {
      const { request, cancel } = recorder.next(filter);
      return await waits.within(milliseconds, request).finally(cancel);
    },
    exchanges: () => recorder.all(),
    clearRequests: () => recorder.clear(),
    flows: () => timeline.list(),
    exportFlow: async (id) => (await loadFlowFile()).exportFlow(labOf(), id),
    replay: async (id, changes) => (await loadReplay()).replayRequest(labOf(), id, changes),
    report: () => reportOf(parts, labOf()),
    assertClean(options) {
      const report = reportOf(parts, labOf());
      const message = uncleanMessage(report, options);
      if (message === undefined) return;
      const diagrams = drawFlowsOf(uncleanExchanges(report, options), historyOf(parts));
      throw new LabError([message, diagrams].filter(Boolean).join("\n\n"));
    },
  };
}

function reportOf(parts: LabParts, lab: Lab): Report {
  return makeReport(historyOfClients(parts), {
    idleFaults: idleNames(lab),
    leniencies: parts.leniencies(),
    chosenValues: parts.values.uses(),
  });
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
