export type { Approval, ApproveOptions, CibaTools } from "./approvals.ts";
export type { CibaFaultName } from "./faults.ts";
