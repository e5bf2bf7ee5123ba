import type { Command } from "../../command_line/command.ts";

/** The first test of a project. */
export const init: Command = {
  name: "init",
  operandName: "[FOLDER]",
  help: "adds a configuration and a first test to your project, for its test runner, and runs it",
  details:
    "It finds the runner (Playwright, Vitest, Jest, Mocha, those of Node, Deno and Bun, pytest, " +
    "unittest, Django, go test, Maven, Gradle, PHPUnit, RSpec, Minitest, cargo test, xUnit) and the " +
    "library of the login, shows what it would write, and asks. It overwrites nothing; a " +
    "package.json without a test script gets one. If the package is not installed, it installs " +
    "the version that runs, or the one of --from.",
  examples: ["hallpass init", "hallpass init web --yes --from ./hallpass-0.1.0.tgz"],
  options: [
    { name: "yes", help: "write and run without asking" },
    {
      name: "from",
      valueName: "FILE.tgz",
      help: "the package to install, in place of the one of the registry",
    },
  ],
  run: async (...call) => (await import("./run_init_command.ts")).runInitCommand(...call),
};
