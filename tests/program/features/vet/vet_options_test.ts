import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { parseArguments } from "../../../../src/program/command_line/arguments.ts";
import { commands } from "../../../../src/program/commands.ts";
import { runCommandLine } from "../../../support/command_line.ts";

const env = ["--env", "ISSUER={issuer}"];
const npmTest = ["--", "npm", "test"];

/** What is refused before anything is started, and the words that explain it. */
const refused: Record<string, [args: string[], message: string]> = {
  "no command": [env, "hallpass vet --env ISSUER={issuer} -- npm test"],
  "nothing after --": [[...env, "--"], "Write the command that runs your tests after --"],
  "a command without --": [["npm", "test"], "Write -- before your command"],
  "a suite that cannot know where the lab is": [npmTest, "Your tests need to know where"],
  "a variable without a name": [["--env", "x", ...npmTest], "must be NAME=VALUE"],
  "an unknown placeholder": [
    ["--env", "A={isuer}", ...npmTest],
    "--env A has the unknown placeholder {isuer}; there are {issuer}, {port}",
  ],
  "a secret of Hallpass": [
    ["--env", "HALLPASS_SECRET=a-secret", ...npmTest],
    "--env HALLPASS_SECRET sets what only Hallpass itself may have",
  ],
  "the token of a lab": [
    ["--env", "hallpass_lab_token=a-secret", ...npmTest],
    "sets what only Hallpass itself may have",
  ],
  "an issuer that all jobs would have": [
    [...env, "--issuer", "http://localhost:9000", "--jobs", "2", ...npmTest],
    "--jobs needs labs with an issuer each",
  ],
  "no job": [[...env, "--jobs", "0", ...npmTest], "must be a number from 1 to 99"],
  "an unknown fault": [[...env, "--only", "x", ...npmTest], "There is no login variant 'x'"],
  "what only a drill can try": [
    [...env, "--only", "callback.fixated_session", ...npmTest],
    "Only a drill can try",
  ],
  "a baseline that is missing": [
    [...env, "--baseline", "no-such-file.json", ...npmTest],
    "The file no-such-file.json cannot be read",
  ],
  "a part of more than all": [[...env, "--fail-under", "101", ...npmTest], "must be a percentage"],
  "a time without a unit it knows": [[...env, "--timeout", "x", ...npmTest], "must be a time"],
  "a store: a lab of one run keeps nothing": [
    [...env, "--store", "memory", ...npmTest],
    "has no option '--store'",
  ],
};

describe("The options of hallpass vet", () => {
  for (const [what, [args, message]] of Object.entries(refused)) {
    it(`refuse ${what}`, async () => {
      const { code, output } = await runCommandLine(["vet", ...args]);
      assertEquals(code, 2);
      assertStringIncludes(output, message);
      assertEquals(output.includes("a-secret"), false);
    });
  }

  it("end at --, so that the command has its own", () => {
    const command = ["npm", "test", "--", "--help", "--port", "x", "--version"];
    const parsed = parseArguments(["vet", ...env, "--", ...command], {}, commands);
    assertEquals(parsed.kind === "run" && parsed.invocation.childCommand, command);
  });

  it("are explained by --help before --", () => {
    assertEquals(parseArguments(["vet", "--help", "--", "npm"], {}, commands).kind, "help");
  });

  it("take no command from the environment, and no port of another program", () => {
    const environment = {
      HALLPASS_ENV: "A=b",
      HALLPASS_PORT: "1",
      PORT: "2",
      HALLPASS_COMMAND: "x",
    };
    const parsed = parseArguments(["vet", ...npmTest], environment, commands);
    assertEquals(parsed.kind === "run" && [...parsed.invocation.values.keys()], []);
  });
});
