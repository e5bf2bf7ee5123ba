import { open } from "node:fs/promises";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { groupsScope } from "../../../server/model/claims.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { linesOf } from "../../terminal/streams.ts";

/** A user of a file, or why its line is none. Whether it has the right members is still to check. */
export interface ReadUser {
  line: number;
  user?: UserConfig;
  problem?: string;
}

type ReadLine = (text: string) => UserConfig;

const chunkBytes = 65_536;

/** Columns of a CSV file that are no claims. */
const ownColumns = ["name", "sub", "passwordHash", "disabled", groupsScope];

/** Yields the users of a file, in the order of its lines. */
export async function* readUsers(path: string): AsyncGenerator<ReadUser> {
  let read: ReadLine | undefined = path.toLowerCase().endsWith(".csv") ? undefined : JSON.parse;
  let line = 0;
  for await (const given of linesOf(chunksOf(path))) {
    const text = given.replace(/\r$/, "");
    line += 1;
    if (text.trim() === "") continue;
    if (!read) {
      read = csvReader(cellsOf(text.replace(/^\ufeff/, "")));
      continue;
    }
    yield readLine(read, text, line);
  }
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  while (true) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function readLine(read: ReadLine, text: string, line: number): ReadUser {
  try {
    return { line, user: read(text) };
  } catch (cause) {
    return { line, problem: messageOf(cause) };
  }
}

/** Creates what reads a line whose columns have these names. */
function csvReader(columns: readonly string[]): ReadLine {
  if (!columns.includes("name")) {
    throw new UsageError("The first line must name the column 'name'.");
  }
  const secret = columns.find((name) => /^pass/i.test(name) && !ownColumns.includes(name));
  if (secret !== undefined) {
    throw new UsageError(`The column '${secret}' would be a claim. Passwords are in passwordHash.`);
  }
  return (text) => {
    const cells = cellsOf(text);
    if (cells.length !== columns.length) {
      throw new Error(`has ${cells.length} columns, and the first line ${columns.length}`);
    }
    const given = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""]));
    const { name = "", sub, passwordHash, disabled = "", groups = "" } = given;
    // A user whom another program disabled must not become active because of a "TRUE".
    if (!["", "true", "false"].includes(disabled)) throw new Error("disabled: not true or false");
    const claims = Object.entries(given).filter(([each, value]) =>
      value !== "" && !ownColumns.includes(each)
    );
    const groupNames = groups.split(/\s+/).filter(Boolean);
    return {
      name,
      ...sub && { sub },
      ...passwordHash && { passwordHash },
      ...disabled === "true" && { disabled: true },
      claims: {
        ...Object.fromEntries(claims.map(([each, value]) => [each, claimOf(value)])),
        ...groupNames.length > 0 && { [groupsScope]: groupNames },
      },
    };
  };
}

function claimOf(value: string): string | boolean {
  return value === "true" || value === "false" ? value === "true" : value;
}

/** Splits a line at its commas (RFC 4180); a quoted cell may contain some, but no line break. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  const cell = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/y;
  while (cell.lastIndex < line.length || cells.length === 0) {
    const [whole, quoted, plain = ""] = cell.exec(line) ?? [];
    if (whole === undefined) throw new Error("has a quotation mark that closes no cell");
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (whole === "") break;
  }
  return cells;
}
