import type { Basis, FindingClass } from "../../../findings/finding.ts";
import { basisOf, type SentenceName } from "../../../findings/sentences.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import type { DrillVariant, Expectation } from "./drill_variant.ts";

type MoreOfVariant = Omit<Partial<DrillVariant>, keyof Basis | "fault" | "expectation" | "class">;

/** Returns what makes variants: what doing the opposite is, the sentence that decides, the faults. */
function variantsTo(expectation: Expectation) {
  return (
    kind: FindingClass | undefined,
    sentence: SentenceName,
    faults: readonly FaultName[],
    more: MoreOfVariant = {},
  ): DrillVariant[] =>
    faults.map((fault) => ({
      fault,
      expectation,
      class: kind,
      ...basisOf(sentence),
      ...more,
    }));
}

/** Makes variants that an application must refuse. */
export const refuse = variantsTo("refuse");

/** Makes variants that an application must accept. */
export const accept = variantsTo("accept");

/** Makes variants that an application may refuse or accept. */
export const either = variantsTo("either").bind(undefined, undefined);
