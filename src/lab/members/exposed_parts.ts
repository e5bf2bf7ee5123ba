import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import type { LabRemarks, RemarkInternals } from "../core/remarks.ts";
import type { OpenFeature } from "../feature.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { ChangeableSettings } from "../lab_server/replaceable_settings.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";

/** Returns what a test can do with the parts of a lab themselves, and with its record. */
export function exposeTools(parts: LabParts) {
  const { clock, server, settings, handsFree, recorder, timeline, waits } = parts;
  return {
    clock,
    users: server.users,
    clients: server.clients,
    signIn: handsFree.set,
    configure: (changes) => settings.change(changes as ChangeableSettings),
    requests: recorder.list,
    waitForRequest: (filter, options) => waitForRequest(recorder, waits, filter, options),
    flows: timeline.list,
  } satisfies Partial<CoreTools & Pick<CoreLab, "configure">>;
}

/** Returns what the program and the pages need beside it. */
export function exposeParts(parts: LabParts) {
  const { server, settings, startedFlows, vouchedRequests, recorder, waits } = parts;
  return {
    settings,
    startedFlows,
    vouchedRequests,
    subscribe: parts.events.subscribe,
    originalOf: async (token) => (await parts.dialect?.())?.originalOf(token) ?? token,
    contextOf: (request, observer) => server.current().contextOf(request, observer),
    async nextRequest(filter, milliseconds) {
      const { request, cancel } = recorder.next(filter);
      return await waits.within(milliseconds, request).finally(cancel);
    },
    exchanges: recorder.all,
    clearRequests: () => recorder.discard(),
  } satisfies Partial<CoreLab>;
}

/** Returns what a lab remarks, and its tenants with their names. */
export function remarksOf(
  { leniencies }: LabParts,
  { tenants }: CoreLab & RemarkInternals,
  features: readonly OpenFeature[],
): LabRemarks {
  const all: ReadonlyArray<Partial<LabRemarks>> = [
    { leniencies: leniencies() },
    ...features.map(({ remarks }) => remarks?.() ?? {}),
    ...tenants.ids().map((id) => namedBy(id, tenants.find(id).remarks())),
  ];
  return {
    idleFaults: all.flatMap(({ idleFaults = [] }) => idleFaults),
    leniencies: all.flatMap(({ leniencies = [] }) => leniencies),
    chosenValues: all.flatMap(({ chosenValues = [] }) => chosenValues),
    apis: all.flatMap(({ apis = [] }) => apis),
  };
}

function namedBy(
  id: string,
  { idleFaults, leniencies, chosenValues, ...others }: LabRemarks,
): LabRemarks {
  const named = (name: string) => `${name} (tenant ${id})`;
  return {
    ...others,
    idleFaults: idleFaults.map(named),
    leniencies: leniencies.map(named),
    chosenValues: chosenValues.map((use) => ({
      ...use,
      tenant: [id, use.tenant].filter(Boolean).join("/"),
    })),
  };
}
