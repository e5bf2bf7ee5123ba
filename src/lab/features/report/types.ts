export type { CleanOptions } from "./calls.ts";
export type { ReportTools } from "./feature.ts";
export type { ClientGrade, Grade } from "./grades.ts";
export type { RefusedRequest } from "./refused_requests.ts";
export type { Report } from "./report.ts";
