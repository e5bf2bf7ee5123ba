/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Section } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Fault } from "../fault.ts";
import { describeFirings, describeScope, isSpent } from "./fault_words.ts";

/** The faults that are on, with what they have done so far. */
export function activeFaults(faults: readonly Fault[]): VNode {
  const clear = (
    <button type="submit" class="secondary small" name="clear" value="all">Turn all off</button>
  );
  return (
    <Section title="On now" id="active-faults" live actions={faults.length > 0 && clear}>
      {faults.length === 0 && <Empty title="No fault is on" />}
      <ul class="entries">
        {faults.map(activeFault)}
      </ul>
    </Section>
  );
}

function activeFault(fault: Fault): VNode {
  const { id, name, fired } = fault;
  return (
    <li id={id}>
      <div>
        <strong>
          <code>{name}</code>
        </strong>{" "}
        {isSpent(fault) ? <Tag>used up</Tag> : <Tag tone={fired > 0 ? "bad" : "warn"}>on</Tag>}
        <p class="help">{describeScope(fault)}</p>
        <p class="help">{describeFirings(fault)}</p>
      </div>
      <button
        type="submit"
        class="secondary small"
        name="remove"
        value={id}
        aria-label={`Turn off ${name}`}
      >
        Turn off
      </button>
    </li>
  );
}
