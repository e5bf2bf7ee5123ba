import type { LabTools } from "../control/lab.ts";

/** The names of what a test can do with a lab. */
const toolNames: Readonly<Record<keyof LabTools, true>> = {
  authorize: true,
  browser: true,
  signIn: true,
  mint: true,
  evaluate: true,
  users: true,
  clients: true,
  clock: true,
  on: true,
  next: true,
  addClaims: true,
  changeResponse: true,
  values: true,
  mcp: true,
  clientDocument: true,
  configure: true,
  fault: true,
  faults: true,
  drill: true,
  drillMcp: true,
  requests: true,
  waitForRequest: true,
  replay: true,
  flows: true,
  exportFlow: true,
  report: true,
  assertClean: true,
  reset: true,
  snapshot: true,
  restore: true,
};

/** Returns what a test can do with a lab, without what only the program and the pages use. */
export function toolsOf(lab: LabTools): LabTools {
  const tools = Object.keys(toolNames).map((name) => [name, Reflect.get(lab, name)]);
  return Object.fromEntries(tools);
}
