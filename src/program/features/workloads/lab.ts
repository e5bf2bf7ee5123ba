import { environmentLines } from "../../../lab/features/workloads/environment_lines.ts";
import type { Lab } from "../../../lab/lab.ts";

/** Returns the environment variables that lead workloads to a lab, as lines for a shell. */
export async function workloadLines(lab: Lab): Promise<string[]> {
  const workloads = await lab.workloads();
  if (workloads.length === 0) return [];
  return [
    "",
    "  Workloads get their tokens here:",
    ...environmentLines(workloads).map((line) => `    ${line}`),
  ];
}
