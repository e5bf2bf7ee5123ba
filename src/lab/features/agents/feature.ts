import type { LabFeature } from "../../feature.ts";
import type { AgentInternals } from "./long_call.ts";

/** The lab as tools of an agent, which speaks the Model Context Protocol. It is all over HTTP. */
export const agents: LabFeature<object, AgentInternals> = {
  name: "agents",
  open() {
    const longCalls: AgentInternals["longCalls"] = new Map();
    return { internals: { longCalls }, state: { clear: () => longCalls.clear() } };
  },
};
