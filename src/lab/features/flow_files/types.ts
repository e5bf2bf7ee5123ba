export type { FlowFileTools } from "./feature.ts";
