/** @jsxImportSource preact */
import type { VNode } from "preact";
import { FindingEntry, type FindingLabel } from "../../../pages/parts/finding_entry.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import type { FindingGroup } from "../group_report.ts";
import type { Reported } from "../refused_requests.ts";
import type { ShowRequest } from "./marked_request.tsx";

/** More pieces of evidence for one finding are only counted. */
const maxShown = 3;

const resolvedLabel: FindingLabel = ["neutral", "Refused earlier, works now"];

/** How a group of findings is shown. */
interface GroupLook {
  id: string;
  isOpen: boolean;
  show: ShowRequest;
}

/** Findings that are alike, with the requests that show them. */
export function groupEntry(group: FindingGroup, { id, isOpen, show }: GroupLook): VNode {
  const [finding] = group;
  const unshown = group.length - maxShown;
  return (
    <FindingEntry
      id={id}
      isOpen={isOpen}
      finding={finding}
      count={group.length}
      {...finding.resolved && { label: resolvedLabel }}
    >
      {faultNames(group.flatMap(({ faults = [] }) => faults))}
      {evidenceOf(group.slice(-maxShown), show)}
      {unshown > 0 && <p class="help">And {unshown} more of the same.</p>}
    </FindingEntry>
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
