import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";

/** What a test can do to keep a flow. */
export interface FlowFileTools {
  /**
   * Returns a flow as one HTML file, without secrets, to attach to an issue; `"text"` and
   * `"mermaid"` return its diagram.
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
