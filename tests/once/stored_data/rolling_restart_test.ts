import { assert, assertEquals } from "@std/assert";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { binary } from "../../../scripts/npx.ts";
import {
  browserOn,
  codeFrom,
  inTurn,
  isActive,
  type Node,
  redeem,
  refresh,
  revoke,
  startNode,
  writeConfiguration,
} from "../../support/nodes.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";
import { runProgram } from "../../support/program.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { bundleEarlierProgram, earlierCommit, earlierMissing } from "./earlier_program.ts";

/** Programs of two versions, and the store that they share. */
interface Versions {
  earlier: string[];
  current: string[];
  options: string[];
}

const stores: ReadonlyArray<[name: string, skip: string | false, url: UrlOfStore]> = [
  ["SQLite", false, (folder) => Promise.resolve(`sqlite:${join(folder, "hallpass.db")}`)],
  ["PostgreSQL", postgresMissing, async () => (await startPostgres()).url],
  ["Redis", redisMissing, async () => (await startRedis()).url],
];

type UrlOfStore = (folder: string) => Promise<string>;

/** Where modules of packages are found, unlike in the folder for temporary files. */
const folder = join(process.cwd(), ".build", `earlier-${process.pid}`);

/** Signs in, and returns the tokens. */
async function signIn(fetch: Node["fetch"], user?: string) {
  const { status, body } = await redeem(fetch, await codeFrom(browserOn(fetch), user));
  assertEquals(status, 200);
  return body;
}

/** Refreshes on each of the nodes in turn, and returns the last token. */
async function refreshOn(nodes: readonly Node[], token: string): Promise<string> {
  let last = token;
  for (const { fetch } of nodes) {
    const { status, body } = await refresh(fetch, last);
    assertEquals([status, await isActive(fetch, body.access_token)], [200, true]);
    last = body.refresh_token;
  }
  return last;
}

/** Adds a user with one program. */
async function addUser(name: string, command: string[], options: string[]): Promise<void> {
  const input = `${name}-password\n`;
  const { code, output } = await runProgram(["user", "add", name, ...options], {}, input, command);
  assertEquals(code, 0, output);
}

/** Checks that each of two servers understands what the other one stores. */
async function checkBoth(one: Node, other: Node): Promise<void> {
  const both = inTurn([one, other]);
  const tokens = await signIn(both);
  await refreshOn([one, other, other, one], tokens.refresh_token);
  assertEquals((await refresh(other.fetch, tokens.refresh_token)).status, 400);
  assertEquals(await isActive(one.fetch, tokens.access_token), false);

  const { access_token } = await signIn(one.fetch);
  assertEquals((await revoke(other.fetch, access_token)).status, 200);
  assertEquals(await isActive(one.fetch, access_token), false);

  const code = await codeFrom(browserOn(one.fetch));
  const redeemed = (await redeem(other.fetch, code)).body;
  assertEquals((await redeem(one.fetch, code)).status, 400);
  assertEquals(await isActive(other.fetch, redeemed.access_token), false);
}

/** Replaces a server of the earlier version by one of this version, and checks what it kept. */
async function restartRolling({ earlier, current, options }: Versions): Promise<void> {
  const old = await startNode("earlier", earlier, options);
  await addUser("erin", earlier, options);
  const kept = await signIn(old.fetch, "erin");
  const code = await codeFrom(browserOn(old.fetch));

  const next = await startNode("current", current, options);
  await addUser("fred", current, options);
  for (const { fetch } of [old, next]) assert(await signIn(fetch, "fred"));
  await checkBoth(old, next);
  await checkBoth(next, old);
  assertEquals(await old.program.stop(), 0);

  assertEquals((await redeem(next.fetch, code)).status, 200);
  assert(await isActive(next.fetch, kept.access_token));
  await refreshOn([next], kept.refresh_token);
  await signIn(next.fetch, "erin");
  assertEquals(await next.program.stop(), 0);
}

describe(`A rolling restart from the version of commit ${earlierCommit}`, () => {
  for (const [name, missing, urlIn] of stores) {
    it(`loses nothing on ${name}`, { skip: earlierMissing || missing }, async () => {
      const own = join(folder, name);
      const store = await urlIn(own);
      const options = ["--config", await writeConfiguration(own), "--store", store];
      const node = await binary("node@24");
      const earlier = [node, await bundleEarlierProgram(own)];
      const current = [node, present(process.env.HALLPASS_TEST_MAIN)];
      try {
        await restartRolling({ earlier, current, options });
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});
