/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import { checkList } from "../../pages/flows/check_list.tsx";
import { arrowOfExchange, stepViewOf } from "../../pages/flows/flow_view.ts";
import { pkceSteps } from "../../pages/flows/pkce_proof.tsx";
import {
  messagesOf,
  originOf,
  outcomeOf,
  shortenPath,
  statusTag,
} from "../../pages/flows/step_panel.tsx";
import { CodeBlock } from "../../pages/parts/copy_text.tsx";
import { DecodedToken } from "../../pages/parts/decoded_token.tsx";
import { Section } from "../../pages/parts/section.tsx";

/** Returns the id of the section of an exchange. */
export function stepId(exchange: number): string {
  return `request-${exchange}`;
}

/**
 * Everything about one exchange, by its number. The diagram leaves out how a browser follows our own
 * redirects, and so does the file.
 */
export async function savedStep(
  lab: CoreLab,
  source: FlowSource,
  story: FlowStory,
  number: number,
): Promise<VNode | undefined> {
  const arrows = story.arrows.filter(({ exchange }) => exchange === number);
  const arrow = arrowOfExchange(story, number) ?? arrows[0];
  const step = arrow && await stepViewOf(lab, source, story, arrow, false);
  if (!step) return undefined;
  const { exchange, details, refusal, checks, proof, tokens } = step;
  const { request } = exchange;
  const id = stepId(exchange.id);
  return (
    <Section
      id={id}
      title={
        <>
          <span class="muted">{namesOf(arrows.map((each) => each.step))}:</span> {request.method}
          {" "}
          {shortenPath(request.path)}
        </>
      }
      actions={statusTag(step)}
    >
      <p class="help">
        Request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      {originOf(step)}
      {outcomeOf(step, { id: `${id}-refusal` })}
      {checkList(checks, "server", refusal)}
      {checkList(checks, "client")}
      {proof && pkceSteps(proof, false)}
      {messagesOf(step, `${id}-`)}
      {tokens.map(({ label, part, token }) => (
        <details class="token">
          <summary>
            <code>{label}</code> of the {part}
          </summary>
          <DecodedToken token={token} />
        </details>
      ))}
      <details class="curl">
        <summary>As a curl command</summary>
        <CodeBlock what={`curl command of request ${exchange.id}`} text={details.curl} />
      </details>
    </Section>
  );
}

/** Names the steps of the diagram that belong to an exchange: "Steps 3–5". */
function namesOf(numbers: readonly number[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `Step ${first}` : `Steps ${first}–${last}`;
}
