/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { RecordedRequest } from "../../recording/recorded_request.ts";
import type { FindingGroup, RefusedGroup } from "../../report/group_report.ts";
import { Comparison } from "../parts/comparison.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";
import { MarkedRequest } from "./marked_request.tsx";

/** More pieces of evidence for one finding are only counted. */
const maxShown = 3;

/** Where the evidence of a report is found. */
export interface EvidenceSource {
  requestOf(id: number): RecordedRequest | undefined;
  /** Returns the URL of the page that shows a recorded request in its flow. */
  hrefOf(id: number): string;
}

interface EntryProps {
  id: string;
  tone: Tone;
  label: string;
  title: ComponentChildren;
  /** How often it was seen. */
  count: number;
  fix?: string | undefined;
  see?: string | undefined;
  children: ComponentChildren;
}

/** One point of a report on one line; opened, what to do about it, and the evidence. */
function Entry({ id, tone, label, title, count, fix, see, children }: EntryProps): VNode {
  return (
    <details class={`entry ${tone}`} id={id}>
      <summary>
        <Tag tone={tone}>{label}</Tag> <span class="entry-title">{title}</span>{" "}
        {count > 1 && <span class="muted">× {count}</span>}
      </summary>
      {fix && (
        <p class="fix">
          <strong>What to do:</strong> {fix}
        </p>
      )}
      {children}
      {see && (
        <p class="help">
          See <SectionLink see={see} />.
        </p>
      )}
    </details>
  );
}

interface FindingEntryProps {
  /** The id of the entry on the page. */
  entryId: string;
  group: FindingGroup;
  source: EvidenceSource;
}

/** The findings of one rule, with the requests that show them. */
export function FindingEntry({ entryId, group, source }: FindingEntryProps): VNode {
  const [{ kind, id, says, fix, see }] = group;
  const isAdvice = kind === "advice";
  return (
    <Entry
      id={entryId}
      count={group.length}
      tone={isAdvice ? "neutral" : "bad"}
      label={isAdvice ? "Advice" : "Violation"}
      title={
        <>
          {says} <code class="rule">{id}</code>
        </>
      }
      fix={fix}
      see={see}
    >
      {group.slice(0, maxShown).map(({ seen, exchanges, parameter }) => (
        <>
          <p>Seen: {seen}.</p>
          {exchanges.slice(-maxShown).map((each) => (
            <MarkedRequest
              {...source}
              id={each}
              request={source.requestOf(each)}
              parameter={parameter}
            />
          ))}
        </>
      ))}
      <More count={group.length - maxShown} />
    </Entry>
  );
}

interface RefusedEntryProps {
  /** The id of the entry on the page. */
  entryId: string;
  group: RefusedGroup;
  source: EvidenceSource;
}

/** Requests that were refused for one reason. */
export function RefusedEntry({ entryId, group, source }: RefusedEntryProps): VNode {
  const [{ error, description, fix, see, resolved }] = group;
  const shown = group.slice(-maxShown);
  return (
    <Entry
      id={entryId}
      count={group.length}
      tone={resolved ? "neutral" : "warn"}
      label={resolved ? "Refused earlier, works now" : "Refused"}
      title={
        <>
          {description} <code class="rule">{error}</code>
        </>
      }
      fix={fix}
      see={see}
    >
      <FaultNames names={group.flatMap(({ faults }) => faults)} />
      {shown.map((refused, index) => (
        <>
          {refused.hint !== shown[index - 1]?.hint && <Comparison {...refused} />}
          <MarkedRequest
            {...source}
            id={refused.exchange}
            request={source.requestOf(refused.exchange)}
            parameter={refused.parameter}
          />
        </>
      ))}
      <More count={group.length - maxShown} />
    </Entry>
  );
}

function FaultNames({ names }: { names: readonly string[] }): VNode | null {
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

function More({ count }: { count: number }): VNode | null {
  return count > 0 ? <p class="help">And {count} more of the same.</p> : null;
}
