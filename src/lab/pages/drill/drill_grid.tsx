/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { DrillOutcome } from "../../drill/drill_outcome.ts";
import type { DrillProgress } from "../../drill/drill_progress.ts";
import type { AfterLogin, DrillVariant } from "../../drill/drill_variant.ts";
import { catalogue } from "../../faults/catalogue.ts";
import { faultGroups } from "../faults/fault_groups.ts";
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
  variants: readonly DrillVariant[];
}

const expectations: Readonly<Record<DrillVariant["expectation"], string>> = {
  refuse: "Refuse it",
  accept: "Accept it",
  either: "Do either",
};

/** Every variant of a login, in groups. A group is folded unless the application failed there. */
export function DrillGrid({ base, progress, variants: all }: DrillGridProps): VNode {
  const byFault = new Map(progress.outcomes.map((outcome) => [outcome.fault, outcome]));
  const groups = faultGroups.map(({ prefix, title, entries }) => ({
    prefix,
    title,
    variants: all.filter(({ fault }) => entries.some(({ name }) => name === fault)),
  })).filter(({ variants }) => variants.length > 0);
  return (
    <section aria-label="Variants of a login">
      {groups.map((group) => <VariantGroup base={base} byFault={byFault} {...group} />)}
    </section>
  );
}

interface VariantGroupProps {
  base: string;
  /** What begins the names of the faults. */
  prefix: string;
  title: string;
  variants: readonly DrillVariant[];
  byFault: ReadonlyMap<string, DrillOutcome>;
}

function VariantGroup({ base, prefix, title, variants, byFault }: VariantGroupProps): VNode {
  const seen = variants.flatMap(({ fault }) => byFault.get(fault) ?? []);
  const tested = seen.filter(({ outcome }) => outcome !== "unmet");
  const unmet = seen.length - tested.length;
  const weak = tested.filter(({ outcome }) => outcomes[outcome].tone === "bad").length;
  return (
    <details class="panel group" id={`variants-${prefix}`} open={weak > 0}>
      <summary>
        <h2>{title}</h2>
        <span class="count">
          {counted(variants.length, "variant")}
          {seen.length > 0 && `, ${tested.length} tested`}
          {unmet > 0 && `, ${unmet} not met`}
        </span>
        {weak > 0 && <Tag tone="bad">{weak} failed</Tag>}
      </summary>
      <VariantTable base={base} variants={variants} byFault={byFault} />
    </details>
  );
}

function VariantTable(
  { base, variants, byFault }: Pick<VariantGroupProps, "base" | "variants" | "byFault">,
): VNode {
  return (
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
        {variants.map((variant) => (
          <Row base={base} variant={variant} outcome={byFault.get(variant.fault)} />
        ))}
      </tbody>
    </table>
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

function describeEnd({ outcome, reason = "", after }: DrillOutcome): string {
  return outcome === "accepted" || outcome === "tolerated" ? endings[after ?? "login"] : reason;
}
