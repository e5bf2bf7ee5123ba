import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";

/** What a test can do to keep a flow. */
export interface FlowFileTools {
  /**
   * Returns a flow as one HTML file, without secrets: its diagram, what was issued, and every step.
   * It loads nothing, so it can be attached to an issue and opened from a disk. `"text"` and
   * `"mermaid"` return the diagram alone.
   *
   * @throws {LabError} There is no such flow.
   */
  exportFlow(id: string, form?: "html" | "text" | "mermaid"): Promise<string>;
}

const { exportFlow } = lazyModule(() => import("./flow_file.tsx"));

/** Keeps a flow as one HTML file. */
export const flowFiles: LabFeature<FlowFileTools> = {
  name: "flow_files",
  open: ({ lab }) => ({
    tools: { exportFlow: (id, form) => exportFlow(lab(), id, form) },
  }),
};
