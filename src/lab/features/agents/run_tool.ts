import { messageOf } from "../../../server/util/text/error_message.ts";
import { second } from "../../../server/util/time/duration.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { textContent } from "../../rpc/rpc_methods.ts";
import { checkBody } from "../../util/check_body.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentEntry, AgentResult, AgentTool, AgentWay, ReportProgress } from "./agent_tool.ts";
import { bytesIn, shortenText } from "./shorten.ts";

/** In bytes: room is left for what to do next. */
const maxMessage = 3_000;

/** The context of an agent is scarce. In bytes, with room for the line about the other pages. */
const pageSize = 3_800;

/** In milliseconds. The official SDKs give up after a minute, also while they see progress. */
export const agentTimeout = 45 * second * 1000;

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

/** A part of the text of a result. */
interface PagedLine {
  text: string;
  entry?: object;
}

/** Returns a page of a result, with a line that says how to get the next one. */
export function pageOfResult(
  { rows, value, list }: AgentResult,
  tool: AgentTool,
  page: number,
): { text: string; value: object } {
  const pages = pagesOf(rows.flatMap((row) => linesOf(row, tool)));
  const shown = pages[page - 1];
  if (!shown) {
    throw new LabError(`There is no page ${page}: ${tool.name} has ${pages.length} here.`);
  }
  const text = shown.map((line) => line.text).join("\n");
  const more = entriesOf(pages.slice(page).flat()).length;
  const { name, body, rest } = tool;
  const leftOut = rest === undefined ? "The rest is left out." : `${rest} shows the rest.`;
  const next = body?.schema?.members.page === undefined
    ? leftOut
    : `For more, call ${name} with page ${page + 1}.`;
  return {
    text: page === pages.length ? text : `${text}\n[Page ${page} of ${pages.length}. ${next}]`,
    value: list === undefined ? value : { ...value, [list]: entriesOf(shown), more },
  };
}

function entriesOf(lines: readonly PagedLine[]): object[] {
  return lines.flatMap(({ entry }) => entry ?? []);
}

/** Returns the lines of a row. An entry stays in one piece where a page can hold it. */
function linesOf(row: string | AgentEntry, { keepsLongValues }: AgentTool): PagedLine[] {
  if (typeof row !== "string") {
    const [text = "", ...rest] = splitText(row.text);
    return [{ text, entry: row.entry }, ...rest.map((part) => ({ text: part }))];
  }
  return row.split("\n")
    .map((line) => keepsLongValues ? line : shortenText(line))
    .flatMap(splitText)
    .map((text) => ({ text }));
}

/** Splits a text that is longer than a page: a character has up to four bytes. */
function splitText(text: string): string[] {
  if (bytesIn(text) < pageSize) return [text];
  const characters = [...text];
  const length = Math.floor(pageSize / 4) - 1;
  return Array.from(
    { length: Math.ceil(characters.length / length) },
    (_, at) => characters.slice(at * length, (at + 1) * length).join(""),
  );
}

/** Fills pages: neither the text of one nor its data is longer than a page. */
function pagesOf(lines: readonly PagedLine[]): PagedLine[][] {
  const first: PagedLine[] = [];
  const pages = [first];
  let page = first;
  let size = 0;
  for (const line of lines) {
    const { text, entry } = line;
    const bytes = Math.max(bytesIn(text), entry ? bytesIn(JSON.stringify(entry)) : 0) + 1;
    if (size + bytes > pageSize && page.length > 0) {
      pages.push(page = []);
      size = 0;
    }
    page.push(line);
    size += bytes;
  }
  return pages;
}
