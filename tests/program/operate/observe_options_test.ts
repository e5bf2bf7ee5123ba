import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseArguments } from "../../../src/program/command_line/arguments.ts";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import { commands } from "../../../src/program/commands.ts";
import type { ProgramConfig } from "../../../src/program/configuration/program_config.ts";
import { readServerConfiguration } from "../../../src/program/operate/run_server.ts";
import { UsageError } from "../../../src/program/terminal/exit_code.ts";
import { terminalWith } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";

function invocationOf(args: string[], environment: Record<string, string> = {}): Invocation {
  const parsed = parseArguments(args, environment, commands);
  if (parsed.kind !== "run") throw new Error(`It is no command: ${args.join(" ")}`);
  return parsed.invocation;
}

/** Returns what the program does, as the command line and a file with `content` configure it. */
async function programOf(args: string[], content: object = {}) {
  let program: Awaited<ReturnType<typeof readServerConfiguration>>["program"] | undefined;
  await inFolder(async (folder) => {
    const path = join(folder, "hallpass.json");
    await writeFile(path, JSON.stringify(content));
    const invocation = invocationOf([...args, "--config", path]);
    program = (await readServerConfiguration(invocation, terminalWith({}).terminal)).program;
  });
  return program;
}

describe("The options of log and metrics", () => {
  const unknown: Array<[args: string[], says: RegExp]> = [
    [["--log", "xml"], /--log must be one of text, json, off: xml/],
    [["--log-level", "loud"], /--log-level must be one of debug, info, warn, error: loud/],
    [["--metrics-port", "70000"], /--metrics-port must be a port between 0 and 65535: 70000/],
    [["--metrics-port"], /--metrics-port needs a value: N/],
    [["--metrics-host"], /--metrics-host needs a value: NAME/],
  ];
  for (const [args, says] of unknown) {
    it(`refuse ${args.join(" ")}`, () => {
      const { message } = assertThrows(() => invocationOf(["serve", ...args]), UsageError);
      assertEquals(says.test(message), true, message);
    });
  }

  const contradicting: Array<[args: string[], content: object, says: RegExp]> = [
    [["--metrics-host", "::"], {}, /--metrics-host needs --metrics-port N/],
    [[], { metricsHost: "::" }, /--metrics-host needs --metrics-port N/],
    [["--port", "9100", "--metrics-port", "9100"], {}, /must not be the port of the server, 9100/],
    [["--metrics-port", "9000"], {}, /must not be the port of the server, 9000/],
  ];
  for (const [args, content, says] of contradicting) {
    it(`refuse ${args.join(" ")} with ${JSON.stringify(content)}`, async () => {
      const { message } = await assertRejects(() => programOf(["serve", ...args], content));
      assertEquals(says.test(message), true, message);
    });
  }

  const malformed = [{ log: "xml" }, { logLevel: 1 }, { metricsPort: "9464" }, { metricsHost: 1 }];
  for (const content of malformed) {
    it(`refuse ${JSON.stringify(content)} in a file, by its name`, async () => {
      const { message } = await assertRejects(() => programOf(["serve"], content));
      assertEquals(message.includes(Object.keys(content).join()), true, message);
    });
  }

  it("come before those of a file", async () => {
    const file: ProgramConfig = {
      log: "text",
      logLevel: "warn",
      metricsPort: 1,
      metricsHost: "::1",
    };
    const pick = async (args: string[]): Promise<ProgramConfig> => {
      const { log, logLevel, metricsPort, metricsHost } = await programOf(args, file) ?? {};
      return { log, logLevel, metricsPort, metricsHost };
    };
    assertEquals(await pick(["serve"]), file);
    assertEquals(
      await pick([
        ...["serve", "--log", "json", "--log-level", "debug"],
        ...["--metrics-port", "2", "--metrics-host", "127.0.0.1"],
      ]),
      { log: "json", logLevel: "debug", metricsPort: 2, metricsHost: "127.0.0.1" },
    );
  });

  it("can come from the environment", () => {
    const environment = { HALLPASS_LOG: "json", HALLPASS_METRICS_PORT: "9464" };
    const { values } = invocationOf(["serve"], environment);
    assertEquals([values.get("log"), values.get("metrics-port")], [["json"], ["9464"]]);
  });
});
