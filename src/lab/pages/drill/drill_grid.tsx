/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DrillOutcome } from "../../drill/drill.ts";
import type { DrillProgress } from "../../drill/drill_progress.ts";
import { type DrillVariant, drillVariants } from "../../drill/variants.ts";
import { catalogue } from "../../faults/catalogue.ts";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";

const outcomes: Readonly<Record<DrillOutcome["outcome"], { tone: Tone; label: string }>> = {
  accepted: { tone: "bad", label: "Accepted" },
  refused: { tone: "good", label: "Refused" },
  unmet: { tone: "neutral", label: "Not met" },
};

interface DrillGridProps {
  base: string;
  progress: DrillProgress;
}

/** Every hostile variant of a login, with what the application did. */
export function DrillGrid({ base, progress }: DrillGridProps): VNode {
  const byFault = new Map(progress.outcomes.map((outcome) => [outcome.fault, outcome]));
  return (
    <section class="panel" aria-label="Hostile logins">
      <table class="stacking">
        <thead>
          <tr>
            <th class="main-column">What is wrong with the login</th>
            <th>Your application</th>
            <th>How it ended</th>
            <th>Rule</th>
          </tr>
        </thead>
        <tbody>
          {drillVariants.map((variant) => (
            <Row base={base} variant={variant} outcome={byFault.get(variant.fault)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DrillRowProps {
  base: string;
  variant: DrillVariant;
  outcome: DrillOutcome | undefined;
}

function Row({ base, variant: { fault, see }, outcome }: DrillRowProps): VNode {
  return (
    <tr>
      <td>
        {catalogue.get(fault)?.summary} <code class="muted">{fault}</code>
      </td>
      <td>
        <OutcomeTag outcome={outcome} />
      </td>
      <td>
        {outcome && describeEnd(outcome)}{" "}
        {outcome?.flow && <a href={`${base}/lab/flows/${outcome.flow}`}>{outcome.flow}</a>}
      </td>
      <td>
        <SectionLink see={see} />
      </td>
    </tr>
  );
}

function OutcomeTag({ outcome }: { outcome: DrillOutcome | undefined }): VNode {
  if (!outcome) return <span class="muted">Not tested yet</span>;
  const { tone, label } = outcomes[outcome.outcome];
  return <Tag tone={tone}>{label}</Tag>;
}

function describeEnd({ outcome, reason, needsUserinfo }: DrillOutcome): string {
  if (outcome === "accepted") return "The user was signed in.";
  if (outcome === "refused") return reason ?? "";
  return needsUserinfo
    ? "The application called no userinfo, and so cannot notice it."
    : "The application did not request what the fault changes.";
}
