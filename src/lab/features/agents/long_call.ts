import { second } from "../../../server/util/time/duration.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { AgentResult, AgentTool, AgentWay, ReportProgress } from "./agent_tool.ts";

/** The official SDKs give up after a minute, whatever progress they see. In milliseconds. */
export const agentPatience = 45 * second * 1000;

/** What the tools of an agent need besides those of a lab. */
export interface AgentInternals {
  /** The runs that take longer than their calls may, by tool and arguments. */
  longCalls: Map<string, LongCall>;
}

interface LongCall {
  result: Promise<AgentResult>;
  done: number;
  total: number;
  /** Reports to the call that waits for it, if one does. */
  report?: ReportProgress | undefined;
}

/** Runs a tool for as long as an agent waits. After that, the same call again waits for that run. */
export async function runInTime(
  lab: CoreLab,
  tool: AgentTool,
  args: Readonly<Record<string, unknown>>,
  way: AgentWay,
  patience: number,
): Promise<AgentResult> {
  // Every lab has its features.
  const { longCalls } = lab as CoreLab & AgentInternals;
  const key = JSON.stringify([tool.name, args]);
  const onProgress: ReportProgress = (done, total) => {
    Object.assign(call, { done, total });
    call.report?.(done, total);
  };
  // The tool may report at once, so it begins later.
  const start = () => Promise.resolve().then(() => tool.run(lab, args, { ...way, onProgress }));
  const call: LongCall = longCalls.get(key) ?? { result: start(), done: 0, total: 0 };
  call.report = way.onProgress;
  const ended = call.result.then(() => true, () => true);
  const isOver = await withTimeout(patience, ended, Error).catch(() => false);
  call.report = undefined;
  if (isOver) {
    longCalls.delete(key);
    return await call.result;
  }
  longCalls.set(key, call);
  const { done, total } = call;
  const text =
    `${tool.name} is running, ${done} of ${total}. Call it again with the same arguments.`;
  return { rows: [text], value: { running: true, done, total } };
}
