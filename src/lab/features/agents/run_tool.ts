import { messageOf } from "../../../server/util/text/error_message.ts";
import { second } from "../../../server/util/time/duration.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { textContent } from "../../rpc/rpc_methods.ts";
import { checkBody } from "../../util/check_body.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentResult, AgentTool, AgentWay, ReportProgress } from "./agent_tool.ts";
import { pageOfResult } from "./page_of_result.ts";
import { shortenText } from "./shorten.ts";

/** The official SDKs give up after a minute, whatever progress they see. In milliseconds. */
export const agentTimeout = 45 * second * 1000;

/** In bytes: room is left for what to do next. */
const maxMessage = 3_000;

/** What the tools of an agent need besides those of a lab. */
export interface AgentInternals {
  /** The runs that take longer than an agent waits, by tool and arguments. */
  longRuns: Map<string, LongRun>;
}

interface LongRun {
  result: Promise<AgentResult>;
  done: number;
  total: number;
  /** Reports to the call that waits for it, if one does. */
  report?: ReportProgress | undefined;
}

/** Runs a tool. A failure is a result: the model reads it, and can try again (MCP, Tools). */
export async function runTool(
  lab: CoreLab,
  tool: AgentTool,
  args: Readonly<Record<string, unknown>>,
  way: AgentWay,
  timeout: number = agentTimeout,
): Promise<object> {
  try {
    checkArguments(tool, args);
    const result = await runInTime(lab, tool, args, way, timeout);
    const { text, value } = pageOfResult(result, tool, Number(args.page ?? 1));
    return { content: [textContent(text)], structuredContent: value };
  } catch (cause) {
    // A message repeats values, which may be long.
    const message = shortenText(messageOf(cause), maxMessage);
    const isSaid = tool.recovery === undefined || message.startsWith(tool.recovery);
    const text = isSaid ? message : `${message} ${tool.recovery}`;
    return { content: [textContent(text)], isError: true };
  }
}

/** Runs a tool for as long as an agent waits. After that, the same call again waits for that run. */
async function runInTime(
  lab: CoreLab,
  tool: AgentTool,
  args: Readonly<Record<string, unknown>>,
  way: AgentWay,
  timeout: number,
): Promise<AgentResult> {
  // Every lab has its features.
  const { longRuns } = lab as CoreLab & AgentInternals;
  const key = JSON.stringify([tool.name, args]);
  const onProgress: ReportProgress = (done, total) => {
    Object.assign(run, { done, total });
    run.report?.(done, total);
  };
  // The tool may report at once, so it begins later.
  const start = () => Promise.resolve().then(() => tool.run(lab, args, { ...way, onProgress }));
  const run: LongRun = longRuns.get(key) ?? { result: start(), done: 0, total: 0 };
  run.report = way.onProgress;
  const ended = run.result.then(() => true, () => true);
  const isOver = await withTimeout(timeout, ended, Error).catch(() => false);
  run.report = undefined;
  longRuns.delete(key);
  if (isOver) return await run.result;
  longRuns.set(key, run);
  const { done, total } = run;
  const text =
    `${tool.name} is running, ${done} of ${total}. Call it again with the same arguments.`;
  return { rows: [text], value: { running: true, done, total } };
}

function checkArguments(
  { name, body, operation }: AgentTool,
  args: Readonly<Record<string, unknown>>,
): void {
  if (operation) return;
  if (body?.schema) checkBody(body.schema, args);
  if (!body && Object.keys(args).length > 0) throw new LabError(`${name} takes no arguments.`);
}
