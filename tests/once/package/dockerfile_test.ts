import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseArguments } from "../../../src/cli/arguments.ts";
import { commands } from "../../../src/cli/commands.ts";
import { variableOf } from "../../../src/cli/options.ts";
import { firstMatch } from "../../support/present.ts";
import { runProgram, startProgram } from "../../support/program.ts";

const text = readFileSync("scripts/Dockerfile", "utf8").replace(/^#.*\n/gm, "");
const lines = text.split("\n").filter((line) => line !== "").map((line) => ({
  word: line.split(" ", 1)[0],
  rest: line.slice(line.indexOf(" ") + 1),
}));
const saidOf = (word: string) => lines.filter((line) => line.word === word).map(({ rest }) => rest);
const env = Object.fromEntries(
  saidOf("ENV").flatMap((rest) => rest.split(" ")).map((pair) => pair.split("=")),
);

/** What a list in JSON tells the program to do. */
function told(list: string): string | undefined {
  const told = parseArguments(JSON.parse(list), env, commands);
  return told.kind === "run" ? told.command.name : undefined;
}

describe("The image that scripts/Dockerfile makes", () => {
  it("copies what is there, and the binary that the build makes", () => {
    const copies = saidOf("COPY");
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
      `${saidOf("WORKDIR")[0]}/${firstMatch(tasks.compile.command, /--outfile (\S+)/)}`,
    );
  });

  it("copies everything that the program imports", () => {
    const copied = saidOf("COPY").flatMap((rest) => rest.split(" "));
    for (const needed of ["src", "static", "deno.json"]) assert(copied.includes(needed), needed);
  });

  it("starts and checks the program with commands that there are", () => {
    assertEquals(saidOf("ENTRYPOINT"), ['["hallpass"]']);
    assertEquals(told(saidOf("CMD")[0]), "lab");
    const [check] = saidOf("HEALTHCHECK");
    const [program, ...args] = JSON.parse(check.slice(check.indexOf("CMD ") + "CMD ".length));
    assertEquals([program, told(JSON.stringify(args))], ["hallpass", "health"]);
  });

  it("sets variables that the program reads, and opens the port that it listens on", () => {
    const known = commands.flatMap(({ options }) => options).filter(({ inEnvironment }) =>
      inEnvironment
    )
      .map(variableOf);
    for (const name of Object.keys(env)) assert(known.includes(name), name);
    assertEquals(saidOf("EXPOSE"), ["9000"]);
  });

  it("is nobody's root, by a number, which Kubernetes asks for", () => {
    const [user] = saidOf("USER");
    assertMatch(user, /^[1-9]\d+$/);
    assert(saidOf("RUN").some((rest) => rest.includes(`--uid ${user} `)));
  });

  it("has a lab that needs a token, and is well with one", async () => {
    assertMatch(
      (await runProgram(["lab", "--port", "0"], env)).output,
      /--expose needs --lab-token TOKEN/,
    );
    const lab = await startProgram(["lab", "--port", "0"], {
      ...env,
      HALLPASS_LAB_TOKEN: "a-token-of-32-letters-and-digits",
    });
    const health = await runProgram(["health"], {
      ...env,
      HALLPASS_PORT: new URL(lab.issuer).port,
    });
    await lab.stop();
    assertEquals(health.code, 0, health.output);
    assertMatch(health.output, /^http:\/\/127\.0\.0\.1:\d+\/health responded with status 200$/m);
  });
});
