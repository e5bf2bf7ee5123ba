import type { LabFeature } from "../../feature.ts";
import type { AgentInternals } from "./run_tool.ts";

/** The lab as tools of an agent, which speaks the Model Context Protocol. It is all over HTTP. */
export const agents: LabFeature<object, AgentInternals> = {
  name: "agents",
  open() {
    const longRuns: AgentInternals["longRuns"] = new Map();
    return { internals: { longRuns }, state: { clear: () => longRuns.clear() } };
  },
};
