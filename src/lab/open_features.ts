import type { InternalsOf, LabCore, LabFeature, OpenFeature, ToolsOf } from "./feature.ts";

/** The features of a lab, and all that they add to it. */
export interface OpenFeatures<Tools, Internals> {
  readonly list: readonly OpenFeature[];
  readonly tools: Tools;
  readonly internals: Internals;
}

/** Opens features in a lab. What they add has the members of all. */
export function openFeatures<List extends readonly LabFeature[], Members extends object>(
  features: List,
  core: LabCore<Members>,
): OpenFeatures<ToolsOf<List>, InternalsOf<List>> {
  const list = features.map((feature) => feature.open(core));
  return {
    list,
    tools: Object.assign({}, ...list.map(({ tools }) => tools)),
    internals: Object.assign({}, ...list.map(({ internals }) => internals)),
  };
}
