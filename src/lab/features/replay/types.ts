export type { Replay, RuleDifference, RuleVerdict } from "./compare_exchanges.ts";
export type {
  ChangedClaims,
  ReplayChanges,
  ReplayMethod,
  SignedChanges,
} from "./replay_changes.ts";
export type { ReplayTools } from "./replay_request.ts";
export type { RequestDifference } from "./request_differences.ts";
