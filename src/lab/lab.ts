import type { EvaluateTools } from "./control/evaluation.ts";
import type { CoreLab, CoreTools } from "./core/core_lab.ts";
import type { SnapshotTools } from "./core/snapshot_tools.ts";
import type { DrillInternals, DrillTools } from "./drill/drill_tools.ts";
import type { FaultTools } from "./faults/fault_tools.ts";
import type { FlowFileTools } from "./flows/flow_file_tools.ts";
import type { ReplayTools } from "./flows/replay/replay_tools.ts";
import type { HookInternals, HookTools } from "./hooks/hook_tools.ts";
import type { LabMcpInternals, LabMcpTools } from "./mcp/lab_mcp_tools.ts";
import type { ReportInternals, ReportTools } from "./report/report_tools.ts";
import type { ValueInternals, ValueTools } from "./values/value_tools.ts";

/** What the features of a lab add for tests. */
export interface FeatureTools
  extends
    DrillTools,
    EvaluateTools,
    FaultTools,
    FlowFileTools,
    HookTools,
    LabMcpTools,
    ReplayTools,
    ReportTools,
    SnapshotTools,
    ValueTools {}

/** What they add for the program, the pages and each other. */
export interface FeatureInternals
  extends DrillInternals, HookInternals, LabMcpInternals, ReportInternals, ValueInternals {}

/** What a test can do with a lab. The functions can be destructured. */
export interface LabTools extends CoreTools, FeatureTools {}

/** A lab with all of its features. */
export interface Lab extends CoreLab, FeatureTools, FeatureInternals {
  /** What a test can do with it, without what only the program and the pages use. */
  readonly tools: LabTools;
}
