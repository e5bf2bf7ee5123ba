import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { parseArguments } from "../../../src/program/command_line/arguments.ts";
import { variableOf } from "../../../src/program/command_line/command.ts";
import { commands } from "../../../src/program/commands.ts";
import { firstMatch, present } from "../../support/present.ts";
import { runProgram, startProgram } from "../../support/program.ts";

const text = readFileSync("scripts/Dockerfile", "utf8").replace(/^#.*\n/gm, "");
const lines = text.split("\n").filter((line) => line !== "").map((line) => ({
  word: line.split(" ", 1)[0],
  rest: line.slice(line.indexOf(" ") + 1),
}));
const instructions = (word: string) =>
  lines.filter((line) => line.word === word).map(({ rest }) => rest);
const env = Object.fromEntries(
  instructions("ENV").flatMap((rest) => rest.split(" ")).map((pair) => pair.split("=")),
);

/** Returns the command that a JSON list of arguments runs. */
function commandIn(list: string): string | undefined {
  const parsed = parseArguments(JSON.parse(list), env, commands);
  return parsed.kind === "run" ? parsed.command.name : undefined;
}

describe("The image that scripts/Dockerfile makes", () => {
  it("copies files that exist, and the binary that the build makes", () => {
    const copies = instructions("COPY");
    const sources = copies.filter((rest) => !rest.startsWith("--from=")).flatMap((rest) =>
      rest.split(" ").slice(0, -1)
    );
    assert(sources.length >= 4);
    for (const source of sources) assert(existsSync(source), source);
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const [binary] = copies.filter((rest) => rest.startsWith("--from=build ")).map((rest) =>
      rest.split(" ")[1]
    );
    assertEquals(
      binary,
      `${instructions("WORKDIR")[0]}/${firstMatch(tasks.compile.command, /--outfile (\S+)/)}`,
    );
  });

  it("N2: is released from images that are named by their digests", () => {
    const workflow = readFileSync(".github/workflows/release.yml", "utf8");
    const bases = instructions("ARG").map((rest) => rest.split("=")[0]).slice(0, 2);
    assertEquals(bases, ["BUILD", "BASE"]);
    for (const name of bases) assertMatch(workflow, new RegExp(`\\b${name}=\\$\\{\\{ env`));
    const [, check = ""] = /- run: \|\n((?: {10}.*\n)*?.*sha256[^]*?done)\n/.exec(workflow) ?? [];
    const digest = "0".repeat(64);
    const cases: Array<[base: string, code: number]> = [
      [`debian@sha256:${digest}`, 0],
      ["debian:bookworm-slim", 1],
      [`debian@sha256:${digest.slice(1)}`, 1],
      ["", 1],
    ];
    for (const [BASE, code] of cases) {
      const env = { ...process.env, BUILD: `node:24-slim@sha256:${digest}`, BASE };
      assertEquals(spawnSync("sh", ["-ec", check], { env }).status, code, BASE);
    }
  });

  it("copies everything that the program imports", () => {
    const copied = instructions("COPY").flatMap((rest) => rest.split(" "));
    for (const needed of ["src", "static", "deno.json"]) assert(copied.includes(needed), needed);
  });

  it("starts and checks the program with commands that exist", () => {
    assertEquals(instructions("ENTRYPOINT"), ['["hallpass"]']);
    assertEquals(commandIn(present(instructions("CMD")[0])), "lab");
    const check = present(instructions("HEALTHCHECK")[0]);
    const [program, ...args] = JSON.parse(check.slice(check.indexOf("CMD ") + "CMD ".length));
    assertEquals([program, commandIn(JSON.stringify(args))], ["hallpass", "health"]);
  });

  it("sets variables that the program reads, and exposes its port", () => {
    const known = commands.flatMap(({ options }) => options).filter(({ inEnvironment }) =>
      inEnvironment
    )
      .map((option) => variableOf(option.name));
    for (const name of Object.keys(env)) assert(known.includes(name), name);
    assertEquals(instructions("EXPOSE"), ["9000"]);
  });

  it("N9: is checked every ten seconds, has labels, and declares no volume for a lab", () => {
    assertMatch(present(instructions("HEALTHCHECK")[0]), /^--interval=10s /);
    assertEquals(instructions("VOLUME"), []);
    const { version } = JSON.parse(readFileSync("deno.json", "utf8"));
    assertEquals(instructions("ARG").at(-1), `VERSION=${version}`);
    for (const label of ["title", "description", "licenses", "version"]) {
      assert(text.includes(`org.opencontainers.image.${label}=`), label);
    }
  });

  it("runs as a numeric user that is not root, as Kubernetes requires", () => {
    const user = present(instructions("USER")[0]);
    assertMatch(user, /^[1-9]\d+$/);
    assert(instructions("RUN").some((rest) => rest.includes(`--uid ${user} `)));
  });

  it("starts a lab that requires a token, and reports itself as healthy with one", async () => {
    assertMatch(
      (await runProgram(["lab", "--port", "0"], env)).output,
      /--expose needs --lab-token TOKEN/,
    );
    const lab = await startProgram(["lab", "--port", "0"], {
      ...env,
      HALLPASS_LAB_TOKEN: "a-token-of-32-letters-and-digits",
      HALLPASS_METRICS_PORT: "0",
    });
    const metricsPort = firstMatch(lab.output(), /^metrics: http:\/\/localhost:(\d+)\/metrics$/m);
    const health = await runProgram(["health"], { ...env, HALLPASS_METRICS_PORT: metricsPort });
    await lab.stop();
    assertEquals(health.code, 0, health.output);
    assertMatch(health.output, /^http:\/\/localhost:\d+\/ready responded with status 200$/m);
  });
});
