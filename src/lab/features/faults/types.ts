export type { CallbackFaultName } from "./callback_faults.ts";
export type { FaultName } from "./catalogue.ts";
export type { ChangedFaultName } from "./changed_responses.ts";
export type { DocumentFaultName, UserinfoFaultName, UserinfoForgery } from "./document_faults.ts";
export type { Fault, QueuedResponse, RemovableFault } from "./fault.ts";
export type { FaultList } from "./faults.ts";
export type { FaultTools } from "./feature.ts";
export type { HttpFaultName, HttpMisbehavior } from "./http_faults.ts";
export type { IdJagFaultName } from "./id_jag_faults.ts";
export type {
  IdTokenForgery,
  JarmFaultName,
  JarmForgery,
  JwtFaultName,
  JwtForgery,
} from "./jwt_faults.ts";
export type { CommonForgery } from "./jwt_forgery.ts";
export type { FaultOptions, FaultSetting, PreparedResponse, ResponseChange } from "./config.ts";
export type { KeyFaultName } from "./key_faults.ts";
export type { CountedFaultName, RefreshFaultName, TokenFaultName } from "./token_faults.ts";
export type { ProductionFaultName } from "./production_faults.ts";
