import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { testClient } from "../tests/support/test_client.ts";
import { loadedAtAll, type Need } from "./chunk_groups.ts";
import { toCommonJs } from "./common_js.ts";
import type { CodeFile } from "./split_code.ts";

/** What code that tests loads of the package. */
type Testing = Pick<typeof import("../src/lab/testing/mod.ts"), "hallpass">;

/**
 * Finds what the modules of a library are needed for: each is loaded when it is first used, a lab
 * issues a token, and a user signs in. What an entry exports is needed at once, and a module that
 * is not among those returned is rare.
 */
export async function findNeeds(
  modules: readonly CodeFile[],
  library: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, Need>> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const paths = new Map<string, string>();
  for (const file of loadedAtAll(library, modules)) {
    writeFileSync(join(folder, file.name), await toCommonJs(file, /./));
    for (const path of file.modules) paths.set(file.name, path);
  }
  const require = createRequire(join(folder, "start.js"));
  const needs = new Map<string, Need>();
  const note = (need: Need) => {
    for (const path of Object.keys(require.cache).map((file) => paths.get(basename(file)) ?? "")) {
      if (!needs.has(path)) needs.set(path, need);
    }
  };
  for (const name of library) Object.values(require(join(folder, name)));
  const { hallpass }: Testing = require(join(folder, "testing.js"));
  // The algorithm that a lab has by default, and the fastest one.
  await using other = await hallpass({ alg: "ES256" });
  await using lab = await hallpass();
  for (const each of [other, lab]) await each.mint({ sub: "alice" });
  note("token");
  await logIn(lab);
  note("login");
  return needs;
}

async function logIn(lab: Awaited<ReturnType<Testing["hallpass"]>>): Promise<void> {
  const client = testClient();
  const { jwks_uri } = await client.metadata(lab);
  const { access_token } = await client.tokens(lab);
  await client.userinfo(lab, access_token);
  await lab.fetch(new Request(jwks_uri));
  const { assertClean }: { fetch: unknown; assertClean?(): void } = lab;
  assertClean?.();
}
