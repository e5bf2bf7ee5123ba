import { counted } from "../../server/util/time/describe_span.ts";
import { printable } from "../terminal/printable.ts";
import type { Difference } from "./compare_metadata.ts";
import type { Drift } from "./find_drift.ts";

/** What a comparison found, as `--json` prints it. */
export interface DriftReport {
  preset: string;
  /** The URL or the file of the metadata. */
  with: string;
  /** The date of the metadata. */
  date: string;
  /** Whether there is a difference that was not known. */
  drift: boolean;
  differences: Difference[];
  /** Differences that an earlier report has, too. */
  known: Difference[];
  /** Lists that have the same entries in another order, which has no meaning. */
  otherOrder: string[];
  compared: string[];
  /** The members of metadata that the preset does not play. */
  unplayed: string[];
  notCompared: string[];
}

const areaWidth = 12;
/** Longer values are for `--json`. */
const maxShown = 70;

/** Sorts what was found into new and known differences. */
export function reportDrift(
  { preset, with: source, date }: Pick<DriftReport, "preset" | "with" | "date">,
  { differences, ...others }: Drift,
  isKnown: (difference: Difference) => boolean,
): DriftReport {
  const real = differences.filter(({ isOrder }) => !isOrder);
  const unknown = real.filter((each) => !isKnown(each));
  return {
    preset,
    with: source,
    date,
    drift: unknown.length > 0,
    differences: unknown,
    known: real.filter(isKnown),
    otherOrder: differences.filter(({ isOrder }) => isOrder).map(({ member }) => member),
    ...others,
  };
}

/** Describes a report for a reader: first whether there is a difference at all. */
export function describeDrift(report: DriftReport): string {
  const { preset, differences, known, notCompared, otherOrder } = report;
  const found = differences.length === 0 ? "no drift" : counted(differences.length, "difference");
  const beside = known.length > 0 ? `, and ${known.length} known` : "";
  return [
    `${preset}: ${found}${beside} (${printable(report.with)}, ${printable(report.date)})`,
    ...listed(differences.map(describeDifference)),
    ...titled("Known", known.map(describeDifference)),
    ...titled("In another order, which has no meaning", otherOrder),
    ...titled("Not compared", notCompared),
    "",
    describeCompared(report),
  ].join("\n");
}

function describeCompared({ compared, unplayed }: DriftReport): string {
  const members = compared.filter((each) => each !== "keys").length;
  const keys = compared.length > members ? ", and the key set" : "";
  const others = unplayed.length > 0
    ? `; the preset does not play ${unplayed.length} others (--json)`
    : "";
  return `Compared: ${counted(members, "member")} of the metadata${keys}${others}`;
}

function describeDifference(difference: Difference): string {
  const { area, member } = difference;
  return `${area.padEnd(areaWidth)}${member}: ${changeIn(difference)}`;
}

function changeIn({ preset, real, onlyPreset = [], onlyReal = [] }: Difference): string {
  if (onlyPreset.length > 0 || onlyReal.length > 0) {
    return [...marked("+", onlyReal), ...marked("-", onlyPreset)].join(", ");
  }
  if (preset === undefined) return `only the provider has it: ${shown(real)}`;
  if (real === undefined) return `only the preset has it: ${shown(preset)}`;
  return `preset ${shown(preset)}, provider ${shown(real)}`;
}

/** Marks entries that the provider has beyond the preset (+), or does not have (-). */
function marked(mark: string, values: readonly unknown[]): string[] {
  return values.map((value) => mark + shown(value));
}

function shown(value: unknown): string {
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value) ?? "";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...listed(lines)];
}

function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${printable(line)}`);
}
