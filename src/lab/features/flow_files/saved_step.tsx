/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import { checkList } from "../../pages/flows/check_list.tsx";
import { arrowOfExchange } from "../../pages/flows/choose_arrow.ts";
import { stepViewOf } from "../../pages/flows/flow_view.ts";
import { MessagePanel } from "../../pages/flows/message_panel.tsx";
import { pkceSteps } from "../../pages/flows/pkce_steps.tsx";
import { RefusalBox } from "../../pages/flows/refusal_box.tsx";
import { shortenPath } from "../../pages/flows/step_panel.tsx";
import { CodeBlock } from "../../pages/parts/copy_text.tsx";
import { DecodedToken } from "../../pages/parts/decoded_token.tsx";
import { Section } from "../../pages/parts/section.tsx";
import { Tag } from "../../pages/parts/tag.tsx";

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
  const { exchange, details, refusal, formProblem, checks, proof, tokens } = step;
  const { request, response } = exchange;
  const id = stepId(exchange.id);
  const isFailed = arrow.isFailed || refusal !== undefined;
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
      actions={<Tag tone={isFailed ? "bad" : "good"}>{response?.status ?? "no response"}</Tag>}
    >
      <p class="help">
        Request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      {refusal && <RefusalBox refusal={refusal} id={`${id}-refusal`} />}
      {formProblem && <p class="alert">{formProblem}</p>}
      {exchange.replayOf !== undefined && (
        <p class="alert note">The lab replayed request {exchange.replayOf}.</p>
      )}
      {exchange.faults.length > 0 && (
        <p class="alert note">
          Changed by: {exchange.faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
        </p>
      )}
      {checkList(checks, "server", refusal)}
      {checkList(checks, "client")}
      {proof && pkceSteps(proof, false)}
      <h3>Request</h3>
      <p class="line">
        <code>{details.request.title}</code>
      </p>
      <MessagePanel what={`${id}-request`} message={details.request} />
      <h3>Response</h3>
      {details.response
        ? <MessagePanel what={`${id}-response`} message={details.response} />
        : <p>The connection was closed before the response was complete.</p>}
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
