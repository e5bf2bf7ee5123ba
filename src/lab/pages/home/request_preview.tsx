/** @jsxImportSource preact */
import type { VNode } from "preact";
import { brokenParameters } from "../../client_role/broken_request.ts";
import type { Parameter } from "../../client_role/flow_options.ts";
import { findRequestNote } from "../../tokens/request_notes.ts";
import { Section } from "../parts/section.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";

/** The request that the flow will begin with; each part is explained, or marked as a mistake. */
export function requestPreview({ messages, options }: FlowDraft): VNode {
  const broken = brokenParameters(options.mistakes);
  return (
    <Section title="The request" id="request-preview" live>
      {messages.map(({ title, target, parameters }, at) => (
        <div class="previewed">
          {messages.length > 1 && <h3>{at + 1}. {title}</h3>}
          {target && <code class="target">{target}</code>}
          <dl class="request-parts">
            {parameters.map((parameter) => partOf(parameter, broken.has(parameter[0])))}
            {missingFrom(parameters, broken).map(missingPart)}
          </dl>
        </div>
      ))}
    </Section>
  );
}

/** Returns what a mistake left out of a message that has the other parameters. */
function missingFrom(parameters: readonly Parameter[], broken: ReadonlySet<string>): string[] {
  const names = parameters.map(([name]) => name);
  return names.includes("response_type") ? [...broken].filter((name) => !names.includes(name)) : [];
}

function missingPart(name: string): VNode {
  return (
    <div class="broken">
      <dt>
        <code>
          <s>{name}</s>
        </code>{" "}
        <Tag tone="bad">left out</Tag>
      </dt>
    </div>
  );
}

function partOf([name, value]: Parameter, isBroken: boolean): VNode {
  const note = findRequestNote(name);
  return (
    <div class={isBroken ? "broken" : undefined}>
      <dt>
        <code>
          <span class="part-name">{name}</span>=<span class="part-value">{value}</span>
        </code>
        {isBroken && (
          <>
            {" "}
            <Tag tone="bad">wrong</Tag>
          </>
        )}
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
