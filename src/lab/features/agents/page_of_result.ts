import { LabError } from "../../util/lab_error.ts";
import type { AgentEntry, AgentResult, AgentTool } from "./agent_tool.ts";
import { bytesIn, shortenText } from "./shorten.ts";

/** The context of an agent is scarce. In bytes, with room for the line about the other pages. */
const pageSize = 3_800;

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
