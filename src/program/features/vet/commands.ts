import { parseDuration } from "../../../server/util/time/duration.ts";
import { childLabOptions, env, requireChild } from "../../child_command/options.ts";
import type { Command, Option } from "../../command_line/command.ts";
import { json } from "../../command_line/options.ts";

const jobs: Option = {
  name: "jobs",
  valueName: "N",
  help: "how many runs go on at the same time, each with its own lab (default 1)",
  problem: (value) => /^[1-9]\d?$/.test(value) ? undefined : "must be a number from 1 to 99",
};

const timeout: Option = {
  name: "timeout",
  valueName: "TIME",
  help: "how long a run may take: 90s, 5m (default five times the first run)",
  problem: (value) => parseDuration(value) ? undefined : "must be a time, such as 90s or 5m",
};

const failUnder: Option = {
  name: "fail-under",
  valueName: "PERCENT",
  help: "also fail if the tests notice a smaller part of the attacks",
  problem: (value) =>
    /^(100|\d?\d)%?$/.test(value) ? undefined : "must be a percentage, such as 80%",
};

const only: Option = {
  name: "only",
  valueName: "FAULT",
  repeatable: true,
  help: "try this fault only, such as callback.wrong_state; may be repeated",
};

const baseline: Option = {
  name: "baseline",
  valueName: "FILE",
  help: "fail only for weaknesses that this file does not have",
};

const outputs: readonly Option[] = [
  { name: "write-baseline", valueName: "FILE", help: "write what was found, for --baseline" },
  { name: "junit", valueName: "FILE", help: "write the result as JUnit XML" },
  { ...json, help: "print the result as JSON" },
];

/** Runs a suite against labs that misbehave, to find out what its tests would notice. */
export const vet: Command = {
  name: "vet",
  takesCommand: true,
  help: "shows which attacks your tests would notice: runs them against a lab that misbehaves",
  details: "Your tests run once as they are, and once under each attack that they could meet. " +
    "Exit codes: 1 a weakness; 4 the tests fail without an attack; 5 they never reach the lab; " +
    "6 their runs differ; 7 the command cannot be started; 130 interrupted.",
  examples: [
    "hallpass vet --env ISSUER={issuer} -- npm test",
    "hallpass vet --config hallpass.json --port 9000 -- go test ./...",
    "hallpass vet --env ISSUER={issuer} --env PORT=300{job} --jobs 4 -- pytest",
  ],
  options: [
    env,
    jobs,
    timeout,
    only,
    failUnder,
    baseline,
    ...outputs,
    ...childLabOptions,
  ],
  async run(invocation, terminal) {
    requireChild(invocation, "hallpass vet --env ISSUER={issuer} -- npm test");
    const { runVetCommand } = await import("./run_vet_command.ts");
    return await runVetCommand(invocation, terminal);
  },
};
