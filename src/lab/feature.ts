import type { CoreLab } from "./core/core_lab.ts";
import type { FeatureRow } from "./feature_row.ts";
import type { LabParts } from "./handling/lab_parts.ts";
import type { OpenedFeature } from "./handling/opened_feature.ts";

/**
 * One power of a lab that is not in its core: its row in the list of features. Its folder has
 * everything about it; what it has over HTTP is a `FeatureInterface`, which loads later. `Tools` and
 * `Internals` are the members that it adds to a lab, `Needed` those of features that it builds on.
 */
export interface LabFeature<
  Tools extends object = object,
  Internals extends object = object,
  Needed extends object = object,
> extends FeatureRow {
  readonly name: string;
  /** The features that it builds on, which open before it. */
  readonly needs?: readonly LabFeature[];
  /** Opens it in a lab that is itself being opened: only what it returns may use the access. */
  open?(access: LabAccess<Tools & Internals & Needed>): OpenedFeature<Tools, Internals>;
}

/** How a feature reaches its lab, once that is open. */
export interface LabAccess<Members extends object = object> {
  readonly parts: () => LabParts;
  /** The lab that this one is a tenant of. */
  readonly outer: CoreLab & Members | undefined;
  /** Whether the interface over HTTP requires a token. */
  readonly isGuarded: boolean;
  /** Returns the lab, with what the feature itself adds, and what it needs. */
  readonly lab: () => CoreLab & Members;
}
