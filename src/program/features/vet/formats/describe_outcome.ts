import { catalogue } from "../../../../lab/features/faults/catalogue.ts";
import type { VetGroupId } from "../result/vet_groups.ts";
import type { VetOutcome } from "../result/vet_result.ts";

/** What an outcome means, for the groups that a report shows as a problem. */
export const problemMessages: Readonly<Partial<Record<VetGroupId, string>>> = {
  accepted: "The client accepts it, and no test notices.",
  rejected: "The client refuses a valid response.",
  untested: "The client refuses it, but no test would notice if it did not.",
};

/** Returns what is wrong with a response, without the name of the fault. */
export function describeFault({ fault }: VetOutcome): string {
  return catalogue.get(fault)?.summary ?? fault;
}
