import type { FeatureIn, InternalsOf, LabAccess, OpenFeature, ToolsOf } from "./feature.ts";

/** The features of a lab, and all that they add to it. */
export interface OpenFeatures<Tools, Internals> {
  readonly list: readonly OpenFeature[];
  readonly tools: Tools;
  readonly internals: Internals;
}

/** Opens features in a lab. What they add has the members of all. */
export function openFeatures<M extends object, List extends ReadonlyArray<FeatureIn<M>>>(
  features: List,
  access: LabAccess<M>,
): OpenFeatures<ToolsOf<List>, InternalsOf<List>> {
  const list = features.map((feature) => feature.open(access));
  return {
    list,
    tools: Object.assign({}, ...list.map(({ tools }) => tools)),
    internals: Object.assign({}, ...list.map(({ internals }) => internals)),
  };
}
