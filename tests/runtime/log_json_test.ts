import { assert, assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../support/folder.ts";
import { type Program, runProgram, startProgram } from "../support/program.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

/** Returns the entries of an output in which every line is JSON, warnings and errors included. */
function readEntries(output: string): Array<Record<string, unknown>> {
  return output.trimEnd().split("\n").map((line) => {
    const entry = JSON.parse(line);
    assertEquals(
      ["time", "level", "event"].map((name) => typeof entry[name]),
      ["string", "string", "string"],
      line,
    );
    return entry;
  });
}

/** Runs a server from its start to its end, and returns what it printed. */
async function runWhole(
  args: string[],
  env: Record<string, string>,
  act: (program: Program) => Promise<void>,
): Promise<Array<Record<string, unknown>>> {
  const program = await startProgram(args, env);
  await act(program).finally(() => program.stop());
  return readEntries(program.output());
}

function messages(entries: Array<Record<string, unknown>>, event: string): string[] {
  return entries.filter((each) => each.event === event).map(({ message }) => String(message));
}

/** Servers with a valid command line that do not start: arguments, environment, exit code. */
const failures: Array<[args: string[], env: Record<string, string>, code: number]> = [
  [["lab", "--log", "json", "--host", "0.0.0.0"], {}, 2],
  [["lab", "--log", "json", "--port", "0", "--host", "192.0.2.1", "--expose"], {
    HALLPASS_LAB_TOKEN: "a-token-of-this-lab",
  }, 1],
  [["serve"], { HALLPASS_CONFIG_JSON: '{ "log": "json", "clients": [{}] }' }, 2],
];

describe("A log in JSON (E12)", () => {
  it(
    "has only JSON beside it: of a lab, from its greeting to its warning at the end",
    needs("faults"),
    async () => {
      const args = ["lab", "--port", "0", "--log", "json"];
      const entries = await runWhole(
        args,
        { HALLPASS_SECERT: "misspelled" },
        async ({ issuer }) => {
          await (await fetch(`${issuer}/lab/faults`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ name: "jwks.never" }),
          })).body?.cancel();
          await (await fetch(`${issuer}/oauth2/authorize?client_id=nobody`)).body?.cancel();
        },
      );
      const ready = entries.find(({ event }) => event === "program.ready");
      assertEquals(ready?.message, `hallpass ready ${ready?.issuer}`);
      assertEquals(ready?.listens, ready?.issuer);
      const started = entries.find(({ event }) => event === "program.started");
      const report = hasFeature("report") ? `${ready?.issuer}/lab/report` : undefined;
      assertEquals(started?.report, report);
      assertEquals(JSON.stringify(started).includes("demo-web-secret"), false);
      assert(entries.some(({ event }) => event === "exchange.recorded"));
      const warnings = messages(entries, "program.warned").join("\n");
      // The tasks on Deno may not list the environment.
      assert("Deno" in globalThis || warnings.includes("HALLPASS_SECERT"), warnings);
      assert(warnings.includes("never fired: jwks.never"), warnings);
    },
  );

  it("has only JSON beside it: of a server with a file, a store and metrics", async () => {
    await inFolder(async (folder) => {
      const config = join(folder, "hallpass.json");
      const store = `sqlite:${join(folder, "store.db")}`;
      const settings = { port: 0, metricsPort: 0, alg: "ES256", log: "json", store };
      await writeFile(config, JSON.stringify(settings));
      const entries = await runWhole(["serve", "--config", config], {}, async ({ issuer }) => {
        await (await fetch(`${issuer}/health`)).body?.cancel();
      });
      const started = entries.find(({ event }) => event === "program.started");
      assertEquals([started?.store, started?.clients, started?.users], [store, 0, 0]);
      const warnings = messages(entries, "program.warned").join("\n");
      assertEquals(warnings.includes("ES256 signs"), "Deno" in globalThis, warnings);
      assertEquals(entries.at(-1)?.event, "program.stopped", "N5");
    });
  });

  for (const [args, env, code] of failures) {
    const title = [...args, ...Object.keys(env)].join(" ");
    it(`has only JSON beside it: of what does not start: ${title}`, async () => {
      const failed = await runProgram(args, env);
      const entries = readEntries(failed.output);
      const last = entries.at(-1);
      assertEquals([failed.code, last?.event, last?.exitCode], [code, "program.failed", code]);
      assertEquals(typeof last?.message, "string");
    });
  }

  it("changes no error of a command without a log", async () => {
    const { output } = await runProgram(["user", "list"], { HALLPASS_LOG: "json" });
    assert(output.startsWith("hallpass user list needs a persistent store"), output);
  });
});
