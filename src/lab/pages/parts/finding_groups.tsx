/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Finding } from "../../findings/finding.ts";
import { groupBy } from "../../util/lists.ts";
import { FindingEntry } from "./finding_entry.tsx";

interface FindingGroupsProps {
  /** The worst first. */
  findings: readonly Finding[];
  /**
   * How many groups show their first finding whole: the worst ones.
   *
   * @default 6
   */
  maxOpen?: number;
  /** Draws one of them. */
  entry?: (finding: Finding, isOpen: boolean) => VNode;
}

/** Findings that one fix ends are one group: the first is open, and the rest behind a line. */
export function FindingGroups(
  { findings, maxOpen = 6, entry = plainEntry }: FindingGroupsProps,
): VNode {
  const groups = groupBy(findings, ({ fix, id }) => fix ?? id);
  return (
    <>
      {groups.map(([first, ...others], at) => {
        const rest = [first, ...others].flatMap((each) => [each, ...each.folded ?? []]).slice(1)
          .filter(({ id, title }) => id !== first.id || title !== first.title);
        return (
          <div class="finding-group">
            {entry(first, at < maxOpen)}
            {rest.length > 0 && (
              <details class="also">
                <summary>
                  {rest.length} more of the same mistake: {rest.map(({ id }) => id).join(", ")}
                </summary>
                {rest.map((each) => entry(each, false))}
              </details>
            )}
          </div>
        );
      })}
    </>
  );
}

function plainEntry(finding: Finding, isOpen: boolean): VNode {
  return <FindingEntry finding={finding} isOpen={isOpen} />;
}
