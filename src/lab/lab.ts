import type { CoreLab, CoreTools } from "./core/core_lab.ts";
import type { FeatureInternals } from "./feature_internals.ts";
import type { FeatureTools } from "./feature_types.ts";
import type { SettingChanges, TenantConfig } from "./lab_config.ts";

/** What a test can do with a lab. The functions can be destructured. */
export interface LabTools extends CoreTools, FeatureTools {
  /**
   * Changes settings until a reset: `lab.configure({ lifetimes: { code: "5s" } })`. Members are
   * merged, and `null` removes one (RFC 7396).
   *
   * @throws {LabError} A setting is invalid, or set at the start only; nothing has changed.
   */
  configure(changes: SettingChanges): void;
}

export interface Lab extends CoreLab, LabTools, FeatureInternals {
  /** What a test can do with it, without what only the program and the pages use. */
  readonly tools: LabTools;
  tenant(config?: TenantConfig): Promise<this>;
}
