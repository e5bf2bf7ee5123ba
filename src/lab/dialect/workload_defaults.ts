import type { ApiRefusal } from "./member_settings.ts";
import type { WorkloadTokens } from "./workload_settings.ts";

type Defined<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** The settings that have no default. */
type Optional = "request" | "extension" | "header";

/** The settings of a dialect with the defaults of those that it leaves out. */
export type CompleteWorkloadTokens =
  & Defined<Omit<WorkloadTokens, Optional>>
  & Pick<WorkloadTokens, Optional>;

const invalid: ApiRefusal = {
  status: 400,
  body: { error: "invalid_request", error_description: "{problem}" },
};

/** What a dialect has unless it says otherwise. */
export const workloadDefaults: CompleteWorkloadTokens = {
  path: "/idtoken",
  method: "GET",
  bearer: "token-of-the-runner",
  audience: "{issuer}",
  subject: "{claims.sub}",
  claims: {},
  lifetime: 3600,
  notBefore: 300,
  status: 200,
  body: { token: "{token}" },
  unauthorized: { status: 401, body: { error: "invalid_token" } },
  wrongMethod: { status: 405, body: { error: "method_not_allowed" } },
  invalid,
};

export function completeWorkloadTokens(tokens: WorkloadTokens): CompleteWorkloadTokens {
  const given = Object.entries(tokens).filter(([, value]) => value !== undefined);
  return { ...workloadDefaults, ...Object.fromEntries(given) };
}
