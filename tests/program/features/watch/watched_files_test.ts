import { assertEquals } from "@std/assert";
import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { watchFiles } from "../../../../src/program/features/watch/configuration/watched_files.ts";
import { inFolder } from "../../../support/folder.ts";

/** What a look returns when the files are at rest. */
async function settle(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  assertEquals(await look(), [], "a file that has just changed may be half written");
  return await look();
}

describe("Watched files", () => {
  it("are new at the first look, because they may have changed since they were read", async () => {
    const look = watchFiles(() => ["a", "b"], () => Promise.resolve("same"));
    assertEquals(await settle(look), ["a", "b"]);
    assertEquals(await look(), []);
  });

  it("are reported once they rest, and only those that differ", async () => {
    const content: Record<string, string> = { a: "1", b: "1" };
    const look = watchFiles(() => ["a", "b"], (path) => Promise.resolve(content[path] ?? ""));
    await settle(look);
    content.b = "half";
    assertEquals(await look(), []);
    content.b = "whole";
    assertEquals(await settle(look), ["b"]);
  });

  it("are not reported for a content that they had for a moment", async () => {
    let content = "1";
    const look = watchFiles(() => ["a"], () => Promise.resolve(content));
    await settle(look);
    content = "";
    assertEquals(await look(), []);
    content = "1";
    assertEquals(await settle(look), []);
  });

  it("may be added, as the configuration names others", async () => {
    const paths = ["a"];
    const look = watchFiles(() => paths, (path) => Promise.resolve(path));
    await settle(look);
    paths.push("logo.svg");
    assertEquals(await settle(look), ["logo.svg"]);
  });

  it("are seen when another file is renamed over one, and when it is missing", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "hallpass.json");
      await writeFile(file, "1");
      const look = watchFiles(() => [file]);
      await settle(look);
      await writeFile(`${file}.new`, "2");
      await rename(`${file}.new`, file);
      assertEquals(await settle(look), [file]);
      await rename(file, `${file}.gone`);
      assertEquals(await settle(look), [file]);
    });
  });

  it("are seen when a link above them leads elsewhere, as in a ConfigMap", async () => {
    await inFolder(async (folder) => {
      const at = (name: string) => join(folder, name);
      await writeFile(at("first"), "1");
      await writeFile(at("second"), "2");
      await symlink("first", at("..data"));
      await symlink("..data", at("hallpass.json"));
      const look = watchFiles(() => [at("hallpass.json")]);
      await settle(look);
      await symlink("second", at("..data_tmp"));
      await rename(at("..data_tmp"), at("..data"));
      assertEquals(await settle(look), [at("hallpass.json")]);
    });
  });
});
