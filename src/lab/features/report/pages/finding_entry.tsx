/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Comparison } from "../../../pages/parts/comparison.tsx";
import { SectionLink } from "../../../pages/parts/section_link.tsx";
import { Tag, type Tone } from "../../../pages/parts/tag.tsx";
import type { FindingGroup, Reported } from "../group_report.ts";
import type { ShowRequest } from "./marked_request.tsx";

/** More pieces of evidence for one finding are only counted. */
const maxShown = 3;

const labels: Readonly<Record<Reported["level"], [tone: Tone, label: string]>> = {
  violation: ["bad", "Violation"],
  refused: ["warn", "Refused"],
  advice: ["neutral", "Advice"],
};

/** Findings that are alike on one line; opened, what to do about it, and the evidence. */
export function findingEntry(entryId: string, group: FindingGroup, show: ShowRequest): VNode {
  const [{ id, title, level, resolved, fix, see }] = group;
  const [tone, label]: [tone: Tone, label: string] = resolved
    ? ["neutral", "Refused earlier, works now"]
    : labels[level];
  const unshown = group.length - maxShown;
  return (
    <details class={`entry ${tone}`} id={entryId}>
      <summary>
        <Tag tone={tone}>{label}</Tag>{" "}
        <span class="entry-title">
          {title} <code class="rule">{id}</code>
        </span>{" "}
        {group.length > 1 && <span class="muted">× {group.length}</span>}
      </summary>
      {fix && (
        <p class="fix">
          <strong>What to do:</strong> {fix}
        </p>
      )}
      {faultNames(group.flatMap(({ faults = [] }) => faults))}
      {evidenceOf(group.slice(-maxShown), show)}
      {unshown > 0 && <p class="help">And {unshown} more of the same.</p>}
      {see && (
        <p class="help">
          See <SectionLink see={see} />.
        </p>
      )}
    </details>
  );
}

/** What came is shown once for requests with which the same came. */
function evidenceOf(findings: readonly Reported[], show: ShowRequest): VNode[] {
  return findings.map(({ received, expected, where: { exchanges = [], parameter } }, index) => {
    const { received: last, expected: lastExpected } = findings[index - 1] ?? {};
    const isSame = index > 0 && received === last && expected === lastExpected;
    return (
      <>
        {!isSame && <Comparison received={received} expected={expected} />}
        {exchanges.slice(-maxShown).map((each) => show(each, parameter))}
      </>
    );
  });
}

function faultNames(names: readonly string[]): VNode | null {
  if (names.length === 0) return null;
  return (
    <p>
      After {[...new Set(names)].map((name, index) => (
        <>
          {index > 0 && ", "}
          <code>{name}</code>
        </>
      ))}.
    </p>
  );
}
