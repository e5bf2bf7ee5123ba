/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { SectionLink } from "../../../pages/parts/section_link.tsx";
import { type Column, Table } from "../../../pages/parts/tables.tsx";
import { Tag, type Tone } from "../../../pages/parts/tag.tsx";
import { catalogue } from "../../faults/catalogue.ts";
import { faultGroups } from "../../faults/pages/fault_catalogue.tsx";
import type { DrillProgress } from "../drill_result.ts";
import type { DrillOutcome } from "../variants/drill_outcome.ts";
import type { AfterLogin, DrillVariant } from "../variants/drill_variant.ts";

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

const expectations: Readonly<Record<DrillVariant["expectation"], string>> = {
  refuse: "Refuse it",
  accept: "Accept it",
  either: "Do either",
};

/** A variant of a login, with how the application handled it. */
interface TriedVariant extends DrillVariant {
  tried: DrillOutcome | undefined;
}

/** Every variant of a login, in groups. A group is folded unless the application failed there. */
export function drillGrid(
  { base }: LabPageCall,
  progress: DrillProgress,
  variants: readonly DrillVariant[],
): VNode {
  const byFault = new Map(progress.outcomes.map((outcome) => [outcome.fault, outcome]));
  const all = variants.map((variant) => ({ ...variant, tried: byFault.get(variant.fault) }));
  return (
    <section aria-label="Variants of a login">
      {faultGroups.map(({ prefix, title, entries }) => {
        const group = all.filter(({ fault }) => entries.some(({ name }) => name === fault));
        return group.length > 0 && (
          <VariantGroup prefix={prefix} title={title} variants={group} base={base} />
        );
      })}
    </section>
  );
}

interface VariantGroupProps {
  /** What begins the names of the faults. */
  prefix: string;
  title: string;
  variants: readonly TriedVariant[];
  base: string;
}

function VariantGroup({ prefix, title, variants, base }: VariantGroupProps): VNode {
  const seen = variants.flatMap(({ tried }) => tried ?? []);
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
      <Table columns={columnsOf(base)} entries={variants} isCompact />
    </details>
  );
}

function columnsOf(base: string): ReadonlyArray<Column<TriedVariant>> {
  return [
    ["What is wrong or unusual", ({ fault }) => (
      <>
        {catalogue.get(fault)?.summary} <code class="muted">{fault}</code>
      </>
    ), { class: "main-column first-line whole-line" }],
    ["It must", ({ expectation }) => expectations[expectation]],
    ["Your application", ({ tried }) => {
      if (!tried) return <span class="muted">Not tested yet</span>;
      const { tone, label } = outcomes[tried.outcome];
      return <Tag tone={tone}>{label}</Tag>;
    }],
    ["How it ended", ({ tried }) => (
      <>
        {tried && describeEnd(tried)}{" "}
        {tried?.flow && <a href={`${base}/lab/flows/${tried.flow}`}>{tried.flow}</a>}
      </>
    )],
    ["Rule", ({ see }) => <SectionLink see={see} />],
  ];
}

function describeEnd({ outcome, reason = "", after }: DrillOutcome): string {
  return outcome === "accepted" || outcome === "tolerated" ? endings[after ?? "login"] : reason;
}
