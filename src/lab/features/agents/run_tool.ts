import { messageOf } from "../../../server/util/text/error_message.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { textContent } from "../../rpc/rpc_methods.ts";
import { checkBody } from "../../util/check_body.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentTool, AgentWay } from "./agent_tool.ts";
import { agentPatience, runInTime } from "./long_call.ts";
import { pageOfResult } from "./page_of_result.ts";
import { shortenText } from "./shorten.ts";

/** In bytes: room is left for what to do next. */
const maxMessage = 3_000;

/** Runs a tool. A failure is a result: the model reads it, and can try again (MCP, Tools). */
export async function runTool(
  lab: CoreLab,
  tool: AgentTool,
  args: Readonly<Record<string, unknown>>,
  way: AgentWay,
  patience: number = agentPatience,
): Promise<object> {
  try {
    checkArguments(tool, args);
    const result = await runInTime(lab, tool, args, way, patience);
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

function checkArguments(
  { name, body, operation }: AgentTool,
  args: Readonly<Record<string, unknown>>,
): void {
  if (operation) return;
  if (body?.schema) checkBody(body.schema, args);
  if (!body && Object.keys(args).length > 0) throw new LabError(`${name} takes no arguments.`);
}
