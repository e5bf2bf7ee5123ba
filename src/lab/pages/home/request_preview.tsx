/** @jsxImportSource preact */
import type { VNode } from "preact";
import { brokenParameters } from "../../client_role/broken_request.ts";
import type { Parameter } from "../../client_role/flow_options.ts";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";

/** The request that the flow will begin with. The first step of the flow explains its parts. */
export function requestPreview({ messages, options }: FlowDraft): VNode {
  const broken = brokenParameters(options.mistakes);
  return (
    <div id="request-preview" data-live>
      <h3>The request</h3>
      {messages.map(({ title, target, parameters }, at) => (
        <>
          {messages.length > 1 && <p class="help">{at + 1}. {title}</p>}
          {target && <code class="target">{target}</code>}
          <ul class="plain">
            {parameters.map(([name, value]) => (
              <li class={broken.has(name) ? "broken" : undefined}>
                <code>
                  <span class="part-name">{name}</span>=<span class="part-value">{value}</span>
                </code>{" "}
                {broken.has(name) && <Tag tone="bad">wrong</Tag>}
              </li>
            ))}
            {missingFrom(parameters, broken).map((name) => (
              <li class="broken">
                <code>
                  <s>{name}</s>
                </code>{" "}
                <Tag tone="bad">left out</Tag>
              </li>
            ))}
          </ul>
        </>
      ))}
    </div>
  );
}

/** Returns what a mistake left out of a message that has the other parameters. */
function missingFrom(parameters: readonly Parameter[], broken: ReadonlySet<string>): string[] {
  const names = parameters.map(([name]) => name);
  return names.includes("response_type") ? [...broken].filter((name) => !names.includes(name)) : [];
}
