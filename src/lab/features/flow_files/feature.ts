import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { FlowFileTools } from "./flow_file_tools.ts";

const loadFlowFile = once(() => import("./flow_file.ts"));

/** Keeps a flow as one HTML file. */
export const flowFiles: LabFeature<FlowFileTools> = {
  name: "flow_files",
  open: ({ lab }) => ({
    tools: { exportFlow: async (id) => (await loadFlowFile()).exportFlow(lab(), id) },
    internals: {},
  }),
};
