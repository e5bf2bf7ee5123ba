/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DrillOutcome } from "../../drill/drill_outcome.ts";
import type { DrillProgress } from "../../drill/drill_progress.ts";
import type { AfterLogin, DrillVariant } from "../../drill/drill_variant.ts";
import { drillVariants } from "../../drill/variants.ts";
import { catalogue } from "../../faults/catalogue.ts";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";

const outcomes: Readonly<Record<DrillOutcome["outcome"], { tone: Tone; label: string }>> = {
  accepted: { tone: "bad", label: "Accepted" },
  refused: { tone: "good", label: "Refused" },
  tolerated: { tone: "good", label: "Accepted" },
  wrongly_refused: { tone: "bad", label: "Wrongly refused" },
  unmet: { tone: "neutral", label: "Not met" },
};

const endings: Readonly<Record<AfterLogin | "login", string>> = {
  login: "The user was signed in.",
  refresh: "The tokens were refreshed.",
  logout: "The user was signed out.",
  backchannel_logout: "The logout token was accepted.",
};

interface DrillGridProps {
  base: string;
  progress: DrillProgress;
}

const expectations: Readonly<Record<DrillVariant["expectation"], string>> = {
  refuse: "Refuse it",
  accept: "Accept it",
  either: "Do either",
};

/** Every variant of a login, with what the application must do, and what it did. */
export function DrillGrid({ base, progress }: DrillGridProps): VNode {
  const byFault = new Map(progress.outcomes.map((outcome) => [outcome.fault, outcome]));
  return (
    <section class="panel" aria-label="Variants of a login">
      <table class="stacking compact">
        <thead>
          <tr>
            <th class="main-column">What is wrong or unusual</th>
            <th>It must</th>
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

function Row({ base, variant, outcome }: DrillRowProps): VNode {
  const { fault, see, expectation } = variant;
  return (
    <tr>
      <td class="first-line whole-line">
        {catalogue.get(fault)?.summary} <code class="muted">{fault}</code>
      </td>
      <td>{expectations[expectation]}</td>
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

function describeEnd({ outcome, reason, needsUserinfo, needsKeys, after }: DrillOutcome): string {
  if (outcome === "accepted" || outcome === "tolerated") return endings[after ?? "login"];
  if (outcome !== "unmet") return reason ?? "";
  if (needsUserinfo) return "The application called no userinfo, and so cannot notice it.";
  if (needsKeys) return "The application fetched no keys, and so cannot notice it.";
  return "The application did not request what the fault changes.";
}
