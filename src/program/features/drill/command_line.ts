import type { DescribedTry } from "../../../lab/features/verdicts/drill_check.ts";
import { isWebOrigin, isWebUrl, withScheme } from "../../../server/util/addresses/uri.ts";
import { parseDuration } from "../../../server/util/time/duration.ts";
import {
  inLab,
  type Invocation,
  oneOf,
  type Option,
  settingsOf,
} from "../../command_line/command.ts";
import { json, port } from "../../command_line/options.ts";
import { UsageError } from "../../terminal/exit_code.ts";

/** Fails a build in which a part of a drill was not tested. */
export function requireOption(parts: readonly string[]): Option {
  return {
    name: "require",
    valueName: "PART",
    repeatable: true,
    help: `fail if this was not tested: ${parts.join(", ")}; may be repeated`,
    problem: oneOf(parts),
  };
}

/** How long an application may take to start, unless an option says otherwise. */
export const defaultWait = "60s";

/** The port of the lab, which a drill uses if it runs. */
export const drillPort: Option = {
  ...port,
  help: "the port of the lab: the one that runs there is used, or one is started (default 9000)",
};

const meanings = {
  refuse: "an application must refuse it",
  accept: "an application must accept it",
  either: "optional, an application may refuse or accept it",
} as const;

export const drillOriginOption: Option = {
  ...inLab,
  name: "drill-origin",
  sets: "drillOrigins",
  valueName: "ORIGIN",
  repeatable: true,
  help: "another origin that a drill may visit, besides this machine; may be repeated",
  problem: (value) => isWebOrigin(value) ? undefined : "must be an origin, such as http://app:3000",
};

export function onlyOption(valueName: string, what: string): Option {
  return {
    name: "only",
    valueName,
    repeatable: true,
    help: `try this alone: ${what}; may be repeated`,
    problem: (value) =>
      value === "attack"
        ? "names what to try; to let only what anyone can use fail the build, write --fail-on F"
        : undefined,
  };
}

/** The options that decide what fails a build. */
export const policyOptions: readonly Option[] = [
  {
    name: "fail-on",
    valueName: "F|D|C|B",
    help: "the best grade that fails the build (default D)",
    problem: oneOf(["F", "D", "C", "B"]),
  },
  {
    name: "baseline",
    valueName: "FILE",
    help: "also fail for a C that is not in this file, which the first drill writes",
  },
  { name: "junit", valueName: "FILE", help: "write the result as JUnit XML" },
  { ...json, help: "print the result as JSON" },
];

/** Gives what limits how often it fetches keys time for a new one. */
export function keyWaitOption(target: "application" | "API"): Option {
  return {
    name: "key-wait",
    valueName: "TIME",
    help: `how long the ${target} may take to fetch a new key, such as 40s (default: not checked)`,
    problem: durationProblem,
  };
}

function durationProblem(value: string): string | undefined {
  return parseDuration(value) === undefined ? "must be a time: 40s" : undefined;
}

/** An application may need the lab to start, which runs only now. */
export function waitOption(target: "application" | "API"): Option {
  return {
    name: "wait",
    valueName: "TIME",
    help: `how long the ${target} may take until it responds, such as 2m (default ${defaultWait})`,
    problem: durationProblem,
  };
}

export function checkDrilledUrl({ command, operand = "" }: Invocation, example: string): void {
  if (isWebUrl(operand)) return;
  const meant = withScheme(operand);
  const advice = meant === undefined
    ? `Usage: hallpass ${command} URL, such as ${example}`
    : `'${operand}' lacks the scheme: write ${meant}`;
  throw new UsageError(advice);
}

/** Returns the members of a drill that options give: `--other-user` is `otherUser`. */
export function drillMembers(
  options: readonly Option[],
  { values }: Invocation,
): Record<string, unknown> {
  const camelCase = (name: string) =>
    name.replace(/-./g, ([, letter = ""]) => letter.toUpperCase());
  return settingsOf(options.map((each) => ({ sets: camelCase(each.name), ...each })), values);
}

/** Explains a check or a variant of a drill. `fact` names its subject. */
export function explainCheck(
  { id, title, grades, see, why, gain, fix }: DescribedTry,
  fact: readonly ["Check" | "Variant", string],
  more: object = {},
) {
  return {
    value: { id, title, ...more, grades, see, why, gain, fix },
    title: `${id}: ${title}`,
    facts: [
      fact,
      ["Grade", grades],
      ["Otherwise", gain],
      ["To fix it", fix],
      ["Why", `${see}: “${why}”`],
    ] as const,
  };
}

/** Returns what a drill can find, and what explains one as a finding of the drill. */
export async function drillVariantNames() {
  const { variantsOfEveryServer } = await import(
    "../../../lab/features/drill/variants/variants.ts"
  );
  const { describeTries } = await import("../../../lab/features/drill/select_tries.ts");
  const tries = describeTries();
  return {
    names: tries.map(({ id }) => id),
    explain(name: string) {
      const { expectation } = variantsOfEveryServer.find(({ fault }) => fault === name) ?? {};
      const fact = expectation === undefined
        ? ["Check", "of the session of an application, in its drill"] as const
        : ["Variant", `of a drill: ${meanings[expectation]}`] as const;
      const described = tries.find(({ id }) => id === name)!;
      return explainCheck(described, fact, expectation && { expectation });
    },
  };
}
