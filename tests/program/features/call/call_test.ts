import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { loadLabSchemas } from "../../../../src/lab/control/lab_schemas.ts";
import { inputSchema } from "../../../../src/lab/control/operation_input.ts";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import { ownOptions } from "../../../../src/program/features/call/run_call_command.ts";
import { runCommandLine } from "../../../support/command_line.ts";
import { needs } from "../../../support/where_feature.ts";

/** What a command line prints without a lab that runs: its exit code, and a part of the output. */
const calls: Record<string, [args: string[], code: number, prints: RegExp]> = {
  "lists the operations": [[], 0, /^NAME +SUMMARY\nmint-token +Issues tokens without a flow\./],
  "explains one by its schema": [
    ["clock", "--help"],
    0,
    /^hallpass call clock\n\nMoves, [^]*--advance VALUE +Moves the clock forward/,
  ],
  "suggests a name": [["list-user"], 2, /no operation 'list-user'. Did you mean 'list-users'\?/],
  "asks for the member of the path": [["show-client"], 2, /show-client needs --id VALUE/],
  "asks for a member of the body": [["mint-code"], 2, /mint-code needs --user VALUE/],
  "suggests a member": [
    ["list-requests", "--clent", "a"],
    2,
    /no option '--clent'. Did you mean '--client'/,
  ],
  "takes no other member": [
    ["reset", "--zebra"],
    2,
    /no option '--zebra'. See hallpass call reset/,
  ],
};

describe("hallpass call", () => {
  for (const [title, [args, code, prints]] of Object.entries(calls)) {
    it(title, async () => {
      const result = await runCommandLine(["call", ...args]);
      assertMatch(result.output, prints);
      assertEquals(result.code, code);
    });
  }

  const completions: Record<string, [line: string, found: RegExp]> = {
    "an operation": ["hallpass call mint-c", /^mint-code\n$/],
    "a member": ["hallpass call mint-token --sub alice --ex", /^--expiresIn\n$/],
    "one of the values of a member": ["hallpass call sign-in-as --decision d", /^deny\n$/],
    "a member that is true or false": ["hallpass call clock --freeze ", /^true\nfalse\n$/],
    "nothing of another command": ["hallpass serve --po", /^$/],
  };
  for (const [what, [line, found]] of Object.entries(completions)) {
    it(`completes ${what}`, async () => {
      const { output } = await runCommandLine(["call", "--complete", line]);
      assertMatch(output, found);
    });
  }

  it("completes the name of a fault", needs("faults"), async () => {
    const line = "hallpass call add-fault --name id_token.wrong_n";
    const { output } = await runCommandLine(["call", "--complete", line]);
    assertEquals(output, "id_token.wrong_nonce\n");
  });

  it("prints what makes a shell complete", async () => {
    const { output } = await runCommandLine(["call", "--completion"]);
    assertMatch(output, /complete -o default -F _hallpass hallpass\n$/);
    // Without the sign, zsh reads the name as a modifier, and completes nothing.
    assertMatch(output, /COMP_LINE:0:\$COMP_POINT/);
    const fish = await runCommandLine(["call", "--completion", "fish"]);
    assertMatch(fish.output, /^complete -c hallpass /);
  });

  it("has no option that hides a member", async () => {
    const schemas = await loadLabSchemas();
    const members = operations.flatMap((each) =>
      Object.keys(inputSchema(each, schemas).properties)
    );
    assertEquals(members.filter((name) => ownOptions.includes(name)), []);
  });
});
