import { messageOf } from "../../../server/util/text/error_message.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { checkBody } from "../../lab_server/changeable_settings.ts";
import { textContent } from "../../rpc/rpc_methods.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentTool, ReportProgress } from "./agent_tool.ts";

/** The context of an agent is scarce. In bytes, with room for the line about the other pages. */
const pageSize = 3_800;

/** Runs a tool. A failure is a result: the model reads it, and can try again (MCP, Tools). */
export async function runTool(
  lab: CoreLab,
  tool: AgentTool,
  args: Readonly<Record<string, unknown>>,
  onProgress: ReportProgress,
): Promise<object> {
  try {
    checkArguments(tool, args);
    const { text, value, isPaged = false } = await tool.run(lab, args, onProgress);
    const page = isPaged || args.page === undefined ? 1 : Number(args.page);
    const shown = pageOfText(text, tool, page);
    return { content: [textContent(shown)], structuredContent: value };
  } catch (cause) {
    const message = [messageOf(cause), tool.recovery].filter(Boolean).join(" ");
    return { content: [textContent(message)], isError: true };
  }
}

function checkArguments(
  { name, body }: AgentTool,
  args: Readonly<Record<string, unknown>>,
): void {
  if (body?.schema) checkBody(body.schema, args);
  if (!body && Object.keys(args).length > 0) throw new LabError(`${name} takes no arguments.`);
}

/** Returns a page of a text, with a line that says how to get the next one. */
export function pageOfText(text: string, { name, body }: AgentTool, page: number): string {
  const pages = pagesOf(text);
  const shown = pages[page - 1];
  if (shown === undefined) {
    throw new LabError(`There is no page ${page}: ${name} has ${pages.length} here.`);
  }
  if (page === pages.length) return shown;
  const takesPage = body?.schema?.members.page !== undefined;
  const next = takesPage
    ? `For more, call ${name} with page ${page + 1}.`
    : "The rest is left out.";
  return `${shown}\n[Page ${page} of ${pages.length}. ${next}]`;
}

/** Splits a text between its lines. */
function pagesOf(text: string): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let size = 0;
  for (const line of text.split("\n").flatMap(splitLine)) {
    const bytes = bytesIn(line) + 1;
    if (size + bytes > pageSize) {
      pages.push(page.join("\n"));
      [page, size] = [[], 0];
    }
    page.push(line);
    size += bytes;
  }
  return [...pages, page.join("\n")];
}

/** Splits a line that is longer than a page: a character has up to four bytes. */
function splitLine(line: string): string[] {
  if (bytesIn(line) < pageSize) return [line];
  const characters = [...line];
  const length = Math.floor(pageSize / 4) - 1;
  return Array.from(
    { length: Math.ceil(characters.length / length) },
    (_, at) => characters.slice(at * length, (at + 1) * length).join(""),
  );
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
