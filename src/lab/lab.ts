import type { CoreLab, CoreTools } from "./core/core_lab.ts";
import type { RemarkInternals } from "./core/remarks.ts";
import type { FeatureInternals } from "./feature_internals.ts";
import type { FeatureTools } from "./feature_types.ts";

/** What a test can do with a lab. The functions can be destructured. */
export interface LabTools extends CoreTools, FeatureTools {}

/** What the program, the pages and the parts of a lab need of each other beside it. */
interface LabInternals extends FeatureInternals, RemarkInternals {}

/** A lab with all of its features. */
export interface Lab extends CoreLab, LabTools, LabInternals {
  /** What a test can do with it, without what only the program and the pages use. */
  readonly tools: LabTools;
}
