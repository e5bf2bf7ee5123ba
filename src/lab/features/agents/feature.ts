import type { LabFeature } from "../../feature.ts";

/** The lab as tools of an agent, which speaks the Model Context Protocol. It is all over HTTP. */
export const agents: LabFeature = {
  name: "agents",
};
