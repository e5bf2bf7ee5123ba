import { access } from "node:fs/promises";
import { unfoldFindings } from "../../../lab/features/verdicts/fold.ts";
import type { Finding } from "../../../lab/findings/finding.ts";
import { version } from "../../../runtime/version.ts";
import { parseJson } from "../../../server/util/text/json.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { readTextFile, writeTextFile } from "../../configuration/program_config.ts";
import { UsageError } from "../../terminal/exit_code.ts";

/** What was known of a target at some time: a mistake of grade C that is new since then fails. */
interface Baseline {
  /** The ids of what was known. */
  known: ReadonlySet<string>;
  /** What to print, if the file is written now. */
  written?: string;
}

/** Reads the baseline in a file, or writes one if there is none; undefined without a path. */
export async function keepBaseline(
  path: string | undefined,
  { findings }: { findings: readonly Finding[] },
  isComplete: boolean,
): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const exists = await access(path).then(() => true, () => false);
  if (exists) return { known: readKnown(path, await readTextFile(path)) };
  if (!isComplete) return undefined;
  const mistakes = unfoldFindings(findings).filter(({ grade }) => grade === "C");
  const known = [...new Set(mistakes.map(({ id }) => id))].toSorted();
  await writeTextFile(path, `${JSON.stringify({ hallpass: version, known }, undefined, 2)}\n`);
  const written = `Wrote the baseline ${path}: ${counted(known.length, "mistake")} of grade C. ` +
    "From now on, another one fails the build.";
  return { known: new Set(known), written };
}

function readKnown(path: string, text: string): ReadonlySet<string> {
  const { known } = (parseJson(text) ?? {}) as { known?: unknown };
  if (Array.isArray(known) && known.every((each) => typeof each === "string")) {
    return new Set(known);
  }
  throw new UsageError(
    `The file ${path} is no baseline. Delete it, and drill again: it is written.`,
  );
}
