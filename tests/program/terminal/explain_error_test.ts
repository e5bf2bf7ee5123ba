import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { explainError, reasonOf } from "../../../src/program/terminal/explain_error.ts";
import { inFolder } from "../../support/folder.ts";

/** Makes an error as runtimes throw it. */
function failed(code: string, message: string, path?: string): Error {
  return Object.assign(new Error(message), { code, ...path !== undefined && { path } });
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (cause) {
    return cause;
  }
}

describe("explainError", () => {
  const full = failed("ERR_SQLITE_ERROR", "database or disk is full");
  const cases: Record<string, [cause: unknown, says: RegExp]> = {
    "a forbidden file": [
      failed("EACCES", "EACCES: permission denied, rm '/root/x.db.partial'", "/root/x.db.partial"),
      /^This user may not use \/root\/x\.db\.partial; run the command as the user who owns it\.$/,
    ],
    "a path that only the message names": [
      failed("ENOENT", "ENOENT: no such file or directory, open 'nothere/x.db'"),
      /^There is no such file or folder: nothere\/x\.db; look at the path\.$/,
    ],
    "a full disk": [
      failed("ENOSPC", "ENOSPC: no space left on device, write"),
      /^The disk is full/,
    ],
    "a full disk below a store": [
      new Error("The server cannot reach its storage.", { cause: full }),
      /^The disk is full; free some space, and try again\.$/,
    ],
    "a store that cannot be written": [
      failed("ERR_SQLITE_ERROR", "attempt to write a readonly database"),
      /^This user may not write the SQLite file or its folder/,
    ],
    "an error of our own": [new Error("There is no client 'x'."), /^There is no client 'x'\.$/],
    "no permission of Deno": [
      failed("EACCES", 'Requires read access to "/x", run again with the --allow-read flag', "/x"),
      /Requires read access to/,
    ],
    "an unknown code": [failed("EWEIRD", "something", "/x"), /^EWEIRD something$/],
    "a text": ["a text", /^a text$/],
  };
  for (const [what, [cause, says]] of Object.entries(cases)) {
    it(`explains ${what}`, () => assertMatch(explainError(cause), says));
  }

  it("does not repeat a path that the sentence has named", () => {
    const cause = failed("ENOENT", "ENOENT: no such file or directory, open 'a.json'", "a.json");
    assertEquals(reasonOf(cause, "a.json"), "there is no such file or folder; look at the path");
  });

  it("knows the errors of this runtime", async () => {
    await inFolder(async (folder) => {
      const missing = join(folder, "missing", "x.db");
      const absent = explainError(thrownBy(() => readFileSync(missing)));
      assertEquals(absent.startsWith(`There is no such file or folder: ${missing};`), true, absent);
      await mkdir(join(folder, "sub"));
      const file = join(folder, "text.db");
      await writeFile(file, "no database at all, but long enough to be read as one\n".repeat(40));
      const open = () => new DatabaseSync(file).exec("SELECT * FROM sqlite_schema");
      assertMatch(explainError(thrownBy(open)), /^The file is not a SQLite database/);
    });
  });
});
