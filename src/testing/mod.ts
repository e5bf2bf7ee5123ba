export type { HallpassOptions } from "./hallpass.ts";
export { hallpass } from "./hallpass.ts";
export type { LabRequestInit, TestLab } from "./test_lab.ts";
export type { Interception } from "./intercept.ts";
export type { PlaywrightRoute } from "./playwright.ts";
export type { StoreContractCase } from "./store_contract.ts";
export { storeContract } from "./store_contract.ts";
export type { ClientConfig } from "../model/client_config.ts";
export type { UserConfig } from "../config/user_config.ts";
export type { Duration } from "../util/duration.ts";
export type { ServerEvent } from "../config/events.ts";
export type { TokenResponse } from "../issuer/tokens/issue_tokens.ts";
export type { LabClock } from "../lab/clock.ts";
export type { Directory } from "../lab/directory.ts";
export type { DrillResult, DrillVariant } from "../lab/drill.ts";
export type { FaultName } from "../lab/faults/catalogue.ts";
export type { Fault, FaultOptions } from "../lab/faults/fault.ts";
export type { FaultList } from "../lab/faults/faults.ts";
export type { LabConfig } from "../lab/lab_server.ts";
export { LabError } from "../lab/lab_error.ts";
export type { MintOptions } from "../lab/mint.ts";
export type {
  AuthorizationResult,
  HeadlessBrowser,
  UserActions,
} from "../lab/browser/headless_browser.ts";
export type { TenantConfig } from "../lab/lab.ts";
export type { Report, ReportFinding } from "../lab/report/report.ts";
export type { RequestFilter } from "../lab/recording/recorder.ts";
export type { RecordedRequest } from "../lab/recording/recorded_request.ts";
export type { FlowStep, FlowTrace } from "../lab/recording/timeline.ts";
export type { WaitOptions } from "../lab/recording/wait_for_request.ts";
