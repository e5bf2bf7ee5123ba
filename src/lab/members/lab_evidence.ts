import { once } from "../../server/util/time/promises.ts";
import { idleNames, nameIn } from "../control/idle.ts";
import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import type { FaultTools } from "../faults/fault_tools.ts";
import type { OpenFeature } from "../feature.ts";
import { drawFlowsOf, type RecordedFlows } from "../flows/flow_diagrams.ts";
import type { ReplayTools } from "../flows/replay/replay_tools.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { HookInternals } from "../hooks/hook_tools.ts";
import type { Exchange } from "../recording/exchange.ts";
import { isOfClient } from "../recording/recorder.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";
import {
  type LabRemarks,
  makeReport,
  type Report,
  uncleanExchanges,
  uncleanMessage,
  type ValueUse,
} from "../report/report.ts";
import { groupBy, type LabHistory, type ServerHistory } from "../report/report_rule.ts";
import type { ReportInternals, ReportTools } from "../report/report_tools.ts";
import { LabError } from "../util/lab_error.ts";

const loadReplay = once(() => import("../client_role/replay/replay_request.ts"));

type ReportingLab = CoreLab & FaultTools & HookInternals & ReportInternals;

/** Creates the tools that return what was recorded. */
export function createRecordTools({ recorder, timeline, waits }: LabParts) {
  return {
    requests: (filter) => recorder.list(filter),
    waitForRequest: (filter, options) => waitForRequest(recorder, waits, filter, options),
    flows: () => timeline.list(),
  } satisfies Partial<CoreTools>;
}

/** Creates what the program and the pages need of the record beside it. */
export function createRecordAccess({ recorder, waits }: LabParts) {
  return {
    async nextRequest(filter, milliseconds) {
      const { request, cancel } = recorder.next(filter);
      return await waits.within(milliseconds, request).finally(cancel);
    },
    exchanges: () => recorder.all(),
    clearRequests: () => recorder.clear(),
  } satisfies Partial<CoreLab>;
}

/** Creates the tool that sends a recorded request again. */
export function createReplayTools(labOf: () => CoreLab): ReplayTools {
  return {
    replay: async (id, changes) => (await loadReplay()).replayRequest(labOf(), id, changes),
  };
}

/** Creates the tools that report what the clients did. */
export function createReportTools(parts: LabParts, labOf: () => ReportingLab): ReportTools {
  return {
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

function reportOf(parts: LabParts, lab: ReportingLab): Report {
  return makeReport(historyOfClients(parts, lab), lab.reportRemarks());
}

/** Returns what a lab adds to its report, and its tenants with their names. */
export function remarksOf(
  { leniencies }: LabParts,
  lab: ReportingLab,
  features: readonly OpenFeature[],
): LabRemarks {
  const { tenants } = lab;
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
      ...features.flatMap(({ remarks }) => remarks?.().chosenValues ?? []),
      ...inner.flatMap(({ id, remarks }) => remarks.chosenValues.map((use) => ofTenant(use, id))),
    ],
  };
}

/** Returns what clients did as such: no replay of the lab, no request to the test's own routes. */
function historyOfClients({ recorder, timeline }: LabParts, lab: CoreLab): LabHistory {
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
  server: CoreLab | undefined,
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
