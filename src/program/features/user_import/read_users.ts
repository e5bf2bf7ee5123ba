import { type FileHandle, open } from "node:fs/promises";
import type { MovedUser } from "../../../administration/import_users.ts";
import { groupsScope } from "../../../server/model/claims.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { linesOf } from "../../terminal/streams.ts";

/** A user of a file, or why its line is none. Whether it has the right members is still to check. */
export interface ReadUser {
  line: number;
  user?: MovedUser;
  problem?: string;
}

type ReadLine = (text: string) => MovedUser;

const chunkBytes = 65_536;

/** Columns of a CSV file that are no claims. */
const ownColumns = ["name", "sub", "passwordHash", "disabled", groupsScope];

/** A file of users, which can be read again. */
export interface UserFile extends AsyncDisposable {
  /** Yields its users, in the order of its lines. */
  read(): AsyncGenerator<ReadUser>;
}

/** Opens a file of users. What comes through a pipe is kept, since it comes once. */
export async function openUsers(path: string): Promise<UserFile> {
  const file = await open(path);
  const isCsv = path.toLowerCase().endsWith(".csv");
  const isFile = (await file.stat()).isFile();
  const kept = isFile ? undefined : await Array.fromAsync(chunksOf(file));
  return {
    read: () => readUsers(kept ?? chunksOf(file, 0), isCsv),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function* readUsers(
  chunks: AsyncIterable<Uint8Array> | Uint8Array[],
  isCsv: boolean,
): AsyncGenerator<ReadUser> {
  let read: ReadLine | undefined = isCsv ? undefined : JSON.parse;
  let line = 0;
  for await (const given of linesOf(chunks)) {
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

/** Yields what comes next, or what is in the file from a position. */
async function* chunksOf(file: FileHandle, from?: number): AsyncGenerator<Uint8Array> {
  let at = from ?? null;
  while (true) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) return;
    if (at !== null) at += bytesRead;
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
  const cell = /,(?:"((?:[^"]|"")*)"|([^",]*))/y;
  const text = `,${line}`;
  while (cell.lastIndex < text.length) {
    const [, quoted, plain = ""] = cell.exec(text) ?? [""];
    if (cell.lastIndex === 0) throw new Error("has a quotation mark that closes no cell");
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
  }
  return cells;
}
