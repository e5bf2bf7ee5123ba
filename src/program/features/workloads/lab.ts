import { shellQuote } from "../../../lab/flows/curl.ts";
import type { Lab } from "../../../lab/lab.ts";

/** Returns the environment variables that lead workloads to a lab, as lines for a shell. */
export async function workloadLines(lab: Lab): Promise<string[]> {
  const workloads = await lab.workloads();
  if (workloads.length === 0) return [];
  const variables = workloads.flatMap(({ environment }) => Object.entries(environment));
  return [
    "",
    "  Workloads get their tokens here:",
    ...variables.map(([name, value]) => `    export ${name}=${shellQuote(value)}`),
  ];
}
