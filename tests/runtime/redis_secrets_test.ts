import { assert, assertEquals } from "@std/assert";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { redisStore } from "../../src/server/store/redis.ts";
import { findCredentials } from "../support/credentials.ts";
import { openNotingKit, runEveryFlow } from "../support/noting_kit.ts";
import { present } from "../support/present.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";

// Outside of the test. It ends with this process.
const server = redisMissing ? undefined : await startRedis();

describe("The files of Redis, after every flow", () => {
  it("L13: contain no credential", { skip: redisMissing }, async () => {
    const { url, cli } = present(server);
    const store = await redisStore(url);
    const { kit, credentials } = openNotingKit(store);
    await runEveryFlow(kit);
    const [, folder = ""] = (await cli("CONFIG", "GET", "dir")).trim().split("\n");
    const text = await readFiles(folder);
    assert(text.includes("hallpass:"), "the files hold none of our rows");
    assertEquals(findCredentials(text, credentials), []);
    await store.close();
  });
});

/** Reads all files of a folder as one text. */
async function readFiles(folder: string): Promise<string> {
  const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  const texts = await Promise.all(
    paths.map(async (path) => (await stat(path)).isFile() ? await readFile(path, "latin1") : ""),
  );
  return texts.join("\n");
}
