import type { WorkloadTokens } from "./dialect.ts";

type Complete = { [Name in keyof WorkloadTokens]-?: Exclude<WorkloadTokens[Name], undefined> };

/** What a dialect has unless it says otherwise. */
export const workloadDefaults: Complete = {
  path: "/idtoken",
  bearer: "token-of-the-runner",
  audience: "{issuer}",
  subject: "{claims.sub}",
  claims: {},
  lifetime: 3600,
  body: { token: "{token}" },
  unauthorized: { status: 401, body: { error: "invalid_token" } },
};

/** Returns the settings of a dialect with the defaults of those that it leaves out. */
export function completeWorkloadTokens(tokens: WorkloadTokens): Complete {
  const given = Object.entries(tokens).filter(([, value]) => value !== undefined);
  return { ...workloadDefaults, ...Object.fromEntries(given) };
}
