import { once } from "../../server/util/time/promises.ts";
import { idleNames, nameIn } from "../control/idle.ts";
import type { Lab } from "../control/lab.ts";
import { drawFlowsOf, type RecordedFlows } from "../flows/flow_diagrams.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { Exchange } from "../recording/exchange.ts";
import { isOfClient } from "../recording/recorder.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";
import {
  type LabRemarks,
  makeReport,
  type Report,
  uncleanExchanges,
  uncleanMessage,
} from "../report/report.ts";
import { groupBy, type LabHistory, type ServerHistory } from "../report/report_rule.ts";
import { LabError } from "../util/lab_error.ts";
import type { ValueUse } from "../values/chosen_values.ts";

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
  | "reportRemarks"
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
    reportRemarks: () => remarksOf(parts, labOf()),
    report: () => reportOf(parts, labOf()),
    assertClean(options) {
      const report = reportOf(parts, labOf());
      const message = uncleanMessage(report, options);
      if (message === undefined) return;
      const diagrams = drawFlowsOf(uncleanExchanges(report, options), recordedIn(parts));
      throw new LabError([message, diagrams].filter(Boolean).join("\n\n"));
    },
  };
}

function reportOf(parts: LabParts, lab: Lab): Report {
  return makeReport(historyOfClients(parts, lab), lab.reportRemarks());
}

function remarksOf({ leniencies, values, tenants }: LabParts, lab: Lab): LabRemarks {
  const inner = tenants.ids().map((id) => ({ id, remarks: tenants.find(id).reportRemarks() }));
  const ofTenant = (use: ValueUse, id: string): ValueUse => ({
    ...use,
    tenant: [id, use.tenant].filter(Boolean).join("/"),
  });
  return {
    idleFaults: idleNames(lab),
    leniencies: [
      ...leniencies(),
      ...inner.flatMap(({ id, remarks }) => remarks.leniencies.map((name) => nameIn(id, name))),
    ],
    chosenValues: [
      ...values.uses(),
      ...inner.flatMap(({ id, remarks }) => remarks.chosenValues.map((use) => ofTenant(use, id))),
    ],
  };
}

/** Returns what clients did as such: no replay of the lab, no request to the test's own routes. */
function historyOfClients({ recorder, timeline }: LabParts, lab: Lab): LabHistory {
  const all = recorder.all();
  const exchanges = all.filter(isOfClient);
  const flows = timeline.list();
  const servers = groupBy(exchanges, ({ tenant = "" }) => tenant).map((own): ServerHistory => {
    const [{ tenant, issuer = lab.issuer }] = own;
    return {
      ...{ tenant, issuer, exchanges: own, recorded: exchanges },
      mcpCalls: all.filter((each) => each.isMcp && each.tenant === tenant),
      flows: flows.filter((flow) => flow.tenant === tenant),
      ...timesOf(lab.handlerOf({ tenant }), own),
    };
  });
  return { exchanges, flows, servers, requests: recorder.requests() };
}

/** The codes of a tenant that was closed cannot be redeemed, and its time does not go on. */
function timesOf(
  server: Lab | undefined,
  exchanges: readonly Exchange[],
): Pick<ServerHistory, "now" | "codeLifetime"> {
  if (!server) return { now: exchanges.at(-1)?.at ?? 0, codeLifetime: Infinity };
  const { lifetimes } = server.context.settings;
  return { now: server.clock.now(), codeLifetime: lifetimes.code * 1000 };
}

/** Returns everything that was recorded, as diagrams read it. */
export function recordedIn({ issuer, recorder, timeline }: LabParts): RecordedFlows {
  return { issuer, exchanges: recorder.all(), flows: timeline.list() };
}
