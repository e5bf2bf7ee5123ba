import { childLabOptions } from "../../command_line/child_lab_options.ts";
import { type Command, oneOf, type Option } from "../../command_line/command.ts";
import { UsageError } from "../../terminal/exit_code.ts";

/** What fails a command that succeeded. */
const demands = ["violations", "any", "off"];

/** A variable for the command of the user. */
const env: Option = {
  name: "env",
  valueName: "NAME=VALUE",
  repeatable: true,
  mayHoldPassword: true,
  help: "a variable for the command; {issuer}, {port}, {lab} and {ca} are replaced",
};

/** Runs the tests of the user with a lab, for a CI job of one line. */
export const exec: Command = {
  name: "exec",
  takesCommand: true,
  help: "runs your tests with a lab of their own, and fails if a client broke a rule of OAuth",
  details:
    "The command gets the issuer of the lab as ISSUER, and shares the input, output and signals " +
    "of hallpass exec. The report of the lab follows on standard error. If the command fails, " +
    "hallpass exec ends with its exit code. If it succeeds, hallpass exec ends with 0; with 5 if " +
    "nothing reached the lab; with 8 if a client broke a rule, what was drilled has an F or a D " +
    "or, with --report any, the lab refused a request. It ends with 7 if the command cannot be started, and with " +
    "128 and the number of the signal if one ended the command.",
  examples: [
    "hallpass exec --sign-in alice --report any -- npm test",
    "hallpass exec --config hallpass.json --env OIDC_ISSUER={issuer} -- pytest",
  ],
  options: [
    env,
    {
      name: "report",
      valueName: demands.join("|"),
      help: "what fails a command that succeeded: violations (the default), any, which means " +
        "refused requests as well, or off, which prints no report",
      problem: oneOf(demands),
    },
    { name: "junit", valueName: "FILE", help: "write the report as JUnit XML" },
    ...childLabOptions,
  ],
  async run(invocation, terminal) {
    if (!invocation.childCommand?.length) {
      throw new UsageError(
        "Write the command that runs your tests after --: hallpass exec -- npm test",
      );
    }
    const { runExecCommand } = await import("./run_exec_command.ts");
    return await runExecCommand(invocation, terminal);
  },
};
