import { callbackPaths, startPaths } from "../../lab_server/started_flow.ts";

const beginnings: readonly string[] = [...startPaths, ...callbackPaths, "/lab/static/"];

/** Whether a front page may be at a path. The code of these pages loads with the first of them. */
export function isFrontPath(path: string): boolean {
  return path === "/" || beginnings.some((beginning) => path.startsWith(beginning));
}
