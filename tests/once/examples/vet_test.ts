import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { installExamples, installPackage } from "../../support/package.ts";

const planted = ["metadata.wrong_issuer", "callback.without_state", "id_token.expired"];
/** A fault of each kind that the shop notices. */
const noticed = ["callback.wrong_state", "id_token.wrong_nonce", "userinfo.wrong_sub"];
/** What the tests read of a result in JSON. */
interface VetReport {
  noticed: number;
  total: number;
  variants: Array<{ fault: string; finding: boolean }>;
}

/** The workflow of the shop, as far as we read it. */
interface VetWorkflow {
  jobs: { vet: { steps: Array<{ run?: string }> } };
}

/** What the shop tolerates, by which each of them is planted. */
const tolerated = ["issuer", "state", "expired"];
/** How long all runs of the shop's tests may take, in milliseconds. */
const timeout = 5 * 60_000;

const options = { skip: await reasonNotFetched("tests/examples") };

/**
 * Runs a command in the folder of the shop, with the Node of the examples: through a link, because
 * vet keeps what npx fetched from a suite.
 */
async function inShop(command: string[], weaknesses: readonly string[]): Promise<CommandResult> {
  const cwd = join(await installExamples(), "vet");
  const bin = join(await installPackage(), "node_modules/.bin");
  await mkdir(join(cwd, "bin"), { recursive: true });
  await symlink(await binary("node@24"), join(cwd, "bin/node")).catch(() => {});
  const PATH = `${join(cwd, "bin")}:${bin}:${process.env.PATH}`;
  const env = { PATH, TOLERATED: weaknesses.join() };
  return await runCommand(command, { cwd, env, timeout });
}

/** Vets the tests of the shop with a few faults, and returns the report. */
async function vetShop(
  weaknesses: readonly string[],
): Promise<VetReport & { code: number | null }> {
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const { code, output } = await inShop([
    ...[deno, "run", "--allow-all", "--no-check", "--config", resolve("deno.json")],
    ...[resolve("src/main.ts"), "vet", "--sign-in", "alice", "--jobs", "2"],
    ...["--env", "ISSUER={issuer}", "--json", "--write-baseline", "vet-baseline.json"],
    ...[...planted, ...noticed].flatMap((fault) => ["--only", fault]),
    ...["--", "node", "--test", "shop.test.ts"],
  ], weaknesses);
  const json = output.slice(output.indexOf("\n{") + 1);
  assert(json.startsWith("{"), output);
  return { ...JSON.parse(json), code };
}

function findingsIn({ variants }: VetReport): string[] {
  return variants.filter(({ finding }) => finding).map(({ fault }) => fault);
}

describe("hallpass vet of a shop with three planted weaknesses", () => {
  it("finds these among others", options, async () => {
    const result = await vetShop(tolerated);
    assertEquals([result.code, findingsIn(result)], [1, planted]);
    assertEquals(result.total - result.noticed, 3);
  });

  it("finds no other among all faults, with the package on Node", options, async () => {
    const { code, output } = await inShop(["bash", "-e", "vet.sh"], tolerated);
    assertEquals(code, 0, output);
    assertStringIncludes(output, `In the baseline already: ${planted.join(", ")}.`);
    const folder = join(await installExamples(), "vet");
    assertStringIncludes(await readFile(join(folder, "vet.xml"), "utf8"), "<");
  });

  it("finds one less when one of them is mended", options, async () => {
    const result = await vetShop(tolerated.slice(0, 2));
    assertEquals(findingsIn(result), planted.slice(0, 2));
    assertEquals(result.total - result.noticed, 2);
  });

  it("is tried with tests that know of no attack", async () => {
    const text = await readFile("tests/examples/vet/shop.test.ts", "utf8");
    assert(!/fault|hallpass/i.test(text));
  });
});

describe("The workflow that vets the tests of a shop", () => {
  it("runs the script of the shop", async () => {
    const { jobs } = parse(await readFile("tests/examples/vet/vet.yml", "utf8")) as VetWorkflow;
    const commands = jobs.vet.steps.flatMap(({ run }) => run ?? []);
    assertEquals(commands, ["npm ci", "sh vet.sh"]);
  });
});
