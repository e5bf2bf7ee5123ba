import type { Command } from "../../command_line/command.ts";
import { json } from "../../command_line/options.ts";
import { runningLabOptions } from "../../lab_client/running_lab.ts";

export const report: Command = {
  name: "report",
  help:
    "prints what clients and APIs did wrong at a running lab, and with --fail, fails because of it",
  details:
    "Exit codes with --fail: 5 nothing reached the lab; 8 a client broke a rule, a drill found an " +
    "F or a D or, with --refused, the lab refused a request.",
  examples: [
    "hallpass report",
    "hallpass report --client shop",
    "hallpass report --port 9000 --fail --refused",
  ],
  options: [
    { name: "client", valueName: "NAME", help: "only what is about this client" },
    {
      name: "fail",
      help: "fail if a client broke a rule, a drill found an F or a D, or nothing reached the lab",
    },
    { name: "refused", help: "with --fail, fail for refused requests as well" },
    ...runningLabOptions,
    json,
  ],
  run: async (...call) => (await import("./run_report_command.ts")).runReportCommand(...call),
};

/** Returns the ids of the findings of a report, and what explains one. */
export async function loadReportChecks() {
  const { reportChecks } = await import("../../../lab/features/report/report.ts");
  const { describeGrades } = await import("../../../lab/findings/grade.ts");
  return {
    names: reportChecks.map(({ id }) => id),
    /** A finding is about what a client does; the server refuses no request because of it. */
    explain(name: string) {
      const { find: _, ...rule } = reportChecks.find(({ id }) => id === name)!;
      return {
        value: rule,
        title: `${name}: ${rule.title}`,
        facts: [
          ["Finding", "in the report of a lab"],
          ["Grade", describeGrades(rule)],
          ["To fix it", rule.fix],
          ["Why", `${rule.see}: “${rule.why}”`],
        ] as const,
      };
    },
  };
}
