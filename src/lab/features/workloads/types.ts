export type { PlayedWorkload } from "./describe_workloads.ts";
export type { WorkloadFaultName } from "./faults.ts";
export type { WorkloadTools } from "./feature.ts";
export type { WorkloadsConfig, WorkloadsSetting } from "./config.ts";
export type { WorkloadSource } from "./source_paths.ts";
