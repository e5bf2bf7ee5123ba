/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { Comparison } from "../../../pages/parts/comparison.tsx";
import { SectionLink } from "../../../pages/parts/section_link.tsx";
import { Tag, type Tone } from "../../../pages/parts/tag.tsx";
import type { FindingGroup, RefusedGroup } from "../group_report.ts";
import type { ShowRequest } from "./marked_request.tsx";

/** More pieces of evidence for one finding are only counted. */
const maxShown = 3;

interface EntryProps {
  id: string;
  tone: Tone;
  label: string;
  title: ComponentChildren;
  group: FindingGroup | RefusedGroup;
  /** What shows the group. */
  children: ComponentChildren;
}

/** One point of a report on one line; opened, what to do about it, and the evidence. */
function Entry({ id, tone, label, title, group, children }: EntryProps): VNode {
  const [{ fix, see }] = group;
  const unshown = group.length - maxShown;
  return (
    <details class={`entry ${tone}`} id={id}>
      <summary>
        <Tag tone={tone}>{label}</Tag> <span class="entry-title">{title}</span>{" "}
        {group.length > 1 && <span class="muted">× {group.length}</span>}
      </summary>
      {fix && (
        <p class="fix">
          <strong>What to do:</strong> {fix}
        </p>
      )}
      {children}
      {unshown > 0 && <p class="help">And {unshown} more of the same.</p>}
      {see && (
        <p class="help">
          See <SectionLink see={see} />.
        </p>
      )}
    </details>
  );
}

/** The findings of one rule, with the requests that show them. */
export function findingEntry(entryId: string, group: FindingGroup, show: ShowRequest): VNode {
  const [{ kind, id, says }] = group;
  const isAdvice = kind === "advice";
  return (
    <Entry
      id={entryId}
      group={group}
      tone={isAdvice ? "neutral" : "bad"}
      label={isAdvice ? "Advice" : "Violation"}
      title={
        <>
          {says} <code class="rule">{id}</code>
        </>
      }
    >
      {group.slice(0, maxShown).map(({ seen, exchanges, parameter }) => (
        <>
          <p>Seen: {seen}.</p>
          {exchanges.slice(-maxShown).map((each) => show(each, parameter))}
        </>
      ))}
    </Entry>
  );
}

/** Requests that were refused for one reason. */
export function refusedEntry(entryId: string, group: RefusedGroup, show: ShowRequest): VNode {
  const [{ error, description, resolved }] = group;
  const shown = group.slice(-maxShown);
  return (
    <Entry
      id={entryId}
      group={group}
      tone={resolved ? "neutral" : "warn"}
      label={resolved ? "Refused earlier, works now" : "Refused"}
      title={
        <>
          {description} <code class="rule">{error}</code>
        </>
      }
    >
      {faultNames(group.flatMap(({ faults }) => faults))}
      {shown.map((refused, index) => (
        <>
          {refused.hint !== shown[index - 1]?.hint && <Comparison {...refused} />}
          {show(refused.exchange, refused.parameter)}
        </>
      ))}
    </Entry>
  );
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
