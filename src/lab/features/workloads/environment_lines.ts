import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import type { PlayedWorkload } from "./describe_workloads.ts";

/** Returns lines for a shell, which lead the libraries of workloads to a lab. */
export function environmentLines(workloads: readonly PlayedWorkload[]): string[] {
  return workloads.flatMap(({ environment }) =>
    Object.entries(environment).map(([name, value]) => `export ${name}=${shellQuote(value)}`)
  );
}
