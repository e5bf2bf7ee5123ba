/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Parameter } from "../../client_role/own_parameters.ts";
import type { PreviewedMessage } from "../../client_role/request_preview.ts";
import { findNote } from "../../tokens/notes.ts";
import { Section } from "../parts/section.tsx";
import { SectionLink } from "../parts/section_link.tsx";

/** The request that the flow will begin with; each part is explained. */
export function RequestPreview({ messages }: { messages: readonly PreviewedMessage[] }): VNode {
  return (
    <Section title="The request" id="request-preview" live>
      {messages.map(({ title, target, parameters }, at) => (
        <div class="previewed">
          {messages.length > 1 && <h3>{at + 1}. {title}</h3>}
          {target && <code class="target">{target}</code>}
          <dl class="request-parts">
            {parameters.map((parameter) => <Part parameter={parameter} />)}
          </dl>
        </div>
      ))}
    </Section>
  );
}

function Part({ parameter: [name, value] }: { parameter: Parameter }): VNode {
  const note = findNote("request", name);
  return (
    <div>
      <dt>
        <code>
          <span class="part-name">{name}</span>=<span class="part-value">{value}</span>
        </code>
      </dt>
      {note && (
        <dd>
          {note.says}{" "}
          <span class="see">
            <SectionLink see={note.see} />
          </span>
        </dd>
      )}
    </div>
  );
}
