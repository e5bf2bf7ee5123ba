import { type FailureOptions, type Finding, isFailure } from "../../../lab/findings/finding.ts";
import type { Invocation } from "../../command_line/command.ts";

/** A word of `--only` that tries everything, and decides what fails the build. */
const attack = "attack";

/** Returns what to try, if that is not everything. */
export function triesOf({ values }: Invocation): string[] | undefined {
  const names = values.get("only")?.filter((name) => name !== attack) ?? [];
  return names.length > 0 ? names : undefined;
}

/** Returns which findings fail the build. */
export function failuresFor({ values }: Invocation): (finding: Finding) => boolean {
  const options: FailureOptions = values.get("only")?.includes(attack) ? { only: attack } : {};
  return (finding) => isFailure(finding, options);
}
