import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { parseArguments } from "../../../../src/program/command_line/arguments.ts";
import { commands } from "../../../../src/program/commands.ts";
import { runCommandLine } from "../../../support/command_line.ts";

const npmTest = ["--", "npm", "test"];

/** What is refused before anything is started, and the words that explain it. */
const refused: Record<string, [args: string[], message: string]> = {
  "no command": [[], "after --: hallpass exec -- npm test"],
  "nothing after --": [["--"], "Write the command that runs your tests after --"],
  "a command without --": [["npm", "test"], "Write -- before your command"],
  "a variable without a name": [["--env", "x", ...npmTest], "must be NAME=VALUE"],
  "an unknown placeholder": [
    ["--env", "A={isuer}", ...npmTest],
    "--env A has the unknown placeholder {isuer}; there are {issuer}, {port}, {lab}, {ca}",
  ],
  "a secret of Hallpass": [
    ["--env", "HALLPASS_SECRET=a-secret", ...npmTest],
    "--env HALLPASS_SECRET sets what only Hallpass itself may have",
  ],
  "the token of a lab": [
    ["--env", "hallpass_lab_token=a-secret", ...npmTest],
    "sets what only Hallpass itself may have",
  ],
  "a store: a lab of one run keeps nothing": [
    ["--store", "memory", ...npmTest],
    "has no option '--store'",
  ],
};

describe("The options of hallpass exec", () => {
  for (const [what, [args, message]] of Object.entries(refused)) {
    it(`refuse ${what}`, async () => {
      const { code, output } = await runCommandLine(["exec", ...args]);
      assertEquals(code, 2);
      assertStringIncludes(output, message);
      assertEquals(output.includes("a-secret"), false);
    });
  }

  it("end at --, so that the command has its own", () => {
    const command = ["npm", "test", "--", "--help", "--port", "x", "--version"];
    const parsed = parseArguments(["exec", "--", ...command], {}, commands);
    assertEquals(parsed.kind === "run" && parsed.invocation.childCommand, command);
  });

  it("are explained by --help before --", () => {
    assertEquals(parseArguments(["exec", "--help", "--", "npm"], {}, commands).kind, "help");
  });

  it("take no command from the environment, and no port of another program", () => {
    const environment = {
      HALLPASS_ENV: "A=b",
      HALLPASS_PORT: "1",
      PORT: "2",
      HALLPASS_COMMAND: "x",
    };
    const parsed = parseArguments(["exec", ...npmTest], environment, commands);
    assertEquals(parsed.kind === "run" && [...parsed.invocation.values.keys()], []);
  });
});
