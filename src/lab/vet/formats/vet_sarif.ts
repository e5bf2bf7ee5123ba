import { adviceFor } from "../attack_advice.ts";
import { knownFaults } from "../vet_baseline.ts";
import { groupOf, type VetGroupId } from "../vet_groups.ts";
import type { VetOutcome, VetResult } from "../vet_result.ts";
import type { VetVerdict } from "../vet_verdict.ts";
import { describeFault, problemMessages } from "./describe_outcome.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/** The outcomes that a code scanner shows; those that a test notices are left out. */
const levels: Readonly<Partial<Record<VetGroupId, string>>> = {
  accepted: "error",
  rejected: "warning",
  untested: "note",
};

/** What the results are about: the whole project, because no run shows a line of its code. */
const locations = [{ physicalLocation: { artifactLocation: { uri: "." } } }];

/** Formats a result in SARIF 2.1.0, which code scanners and editors read. */
export function vetToSarif(
  { outcomes }: VetResult,
  { change }: VetVerdict,
  hallpass: string,
): Record<string, unknown> {
  const shown = outcomes.filter((outcome) => levels[groupOf(outcome)] !== undefined);
  const known = knownFaults(change);
  const driver = { name: "Hallpass", version: hallpass, rules: shown.map(ruleOf) };
  const results = shown.map((outcome, ruleIndex) => ({
    ruleId: outcome.fault,
    ruleIndex,
    level: levels[groupOf(outcome)],
    message: { text: `${describeFault(outcome)} ${problemMessages[groupOf(outcome)]}` },
    locations,
    // A scanner recognizes a result that it has shown before.
    partialFingerprints: { fault: outcome.fault },
    ...change && { baselineState: known.includes(outcome.fault) ? "unchanged" : "new" },
  }));
  return { $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
}

function ruleOf(outcome: VetOutcome): object {
  const { gain, advice } = adviceFor(outcome);
  return {
    id: outcome.fault,
    shortDescription: { text: describeFault(outcome) },
    fullDescription: { text: gain },
    help: { text: `${advice} See ${outcome.see}.` },
    defaultConfiguration: { level: levels[groupOf(outcome)] },
  };
}
