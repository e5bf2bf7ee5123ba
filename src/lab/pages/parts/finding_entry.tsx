/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { withWholeOptions } from "../../../server/pages/access_detail.tsx";
import { type Finding, findingToText, labelOf } from "../../findings/finding.ts";
import { groupBy } from "../../util/lists.ts";
import { CopyAll } from "./copy_text.tsx";
import { SectionLink } from "./section_link.tsx";
import { Comparison } from "./tables.tsx";
import { Tag, type Tone } from "./tag.tsx";

/** How a finding is marked. */
export type FindingLabel = readonly [tone: Tone, label: string];

/** What the text of the finding begins with. */
const labels: Readonly<Record<ReturnType<typeof labelOf>, FindingLabel>> = {
  F: ["bad", "F"],
  D: ["bad", "D"],
  C: ["warn", "C"],
  refused: ["warn", "Refused"],
  B: ["neutral", "B"],
  note: ["neutral", "Note"],
};

/** The number of findings that are shown whole. */
export const fewFindings = 3;

/** A finding on one line; opened, what is at stake, what to do about it, and the evidence. */
export function FindingEntry(props: {
  finding: Finding;
  /** The id of the entry on the page. */
  id?: string;
  label?: FindingLabel;
  /** Whether it is shown whole at once, as where there are few. */
  isOpen?: boolean;
  /** How many findings are alike. */
  count?: number;
  /** What shows it, next to what is at stake: a few words and a link. */
  proof?: ComponentChildren;
  /** The evidence: by default, what came and what was expected; nothing for null. */
  children?: ComponentChildren;
}): VNode {
  const { finding, id, isOpen, count = 1, proof, children } = props;
  const { title, gain, sender, fix, see, why, acknowledged } = finding;
  const [tone, label] = props.label ?? labels[labelOf(finding)];
  return (
    <details class={`entry ${tone}`} id={id} open={isOpen}>
      <summary>
        <Tag tone={tone}>{label}</Tag>{" "}
        <span class="entry-title">
          {title} <code class="rule">{finding.id}</code>
        </span>{" "}
        {count > 1 && <span class="muted">× {count}</span>}
      </summary>
      {(gain || sender || proof) && <p>{gain} {sender} {proof}</p>}
      {fix && (
        <p class="fix">
          <strong>What to do:</strong> {withWholeOptions(fix)}
        </p>
      )}
      {children === undefined
        ? <Comparison received={finding.received} expected={finding.expected} />
        : children}
      {acknowledged && <p>{acknowledged}</p>}
      <p class="help">
        {see && (
          <>
            {why ? "Why: " : "See "}
            <SectionLink see={see} />
            {why ? `: “${why}” ` : ". "}
          </>
        )}
        <CopyAll what="finding" text={findingToText(finding)} />
      </p>
    </details>
  );
}

/** Findings that one fix ends are one group: the first is open, and the rest behind a line. */
export function FindingGroups(
  { findings, maxOpen = 6, entry = plainEntry }: {
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
  },
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
