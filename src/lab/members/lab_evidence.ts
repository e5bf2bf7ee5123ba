import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import type { LabRemarks, RemarkInternals, ValueUse } from "../core/remarks.ts";
import type { OpenFeature } from "../feature.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";

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

/** Returns what a lab adds to its report, and its tenants with their names. */
export function remarksOf(
  { leniencies }: LabParts,
  lab: CoreLab & RemarkInternals,
  features: readonly OpenFeature[],
): LabRemarks {
  const { tenants } = lab;
  const own = features.map(({ remarks }) => remarks?.() ?? {});
  const inner = tenants.ids().map((id) => ({ id, remarks: tenants.find(id).remarks() }));
  const ofTenant = (use: ValueUse, id: string): ValueUse => ({
    ...use,
    tenant: [id, use.tenant].filter(Boolean).join("/"),
  });
  const namedIn = (list: "idleFaults" | "leniencies") =>
    inner.flatMap(({ id, remarks }) => remarks[list].map((name) => `${name} (tenant ${id})`));
  return {
    idleFaults: [
      ...own.flatMap(({ idleFaults = [] }) => idleFaults),
      ...namedIn("idleFaults"),
    ],
    leniencies: [
      ...leniencies(),
      ...own.flatMap(({ leniencies = [] }) => leniencies),
      ...namedIn("leniencies"),
    ],
    chosenValues: [
      ...own.flatMap(({ chosenValues = [] }) => chosenValues),
      ...inner.flatMap(({ id, remarks }) => remarks.chosenValues.map((use) => ofTenant(use, id))),
    ],
  };
}
