/** @jsxImportSource preact */
import type { VNode } from "preact";
import { CodeBlock } from "../../parts/copy_text.tsx";
import { DecodedToken } from "../../parts/decoded_token.tsx";
import { Section } from "../../parts/section.tsx";
import { Tag } from "../../parts/tag.tsx";
import { CheckList } from "../check_list.tsx";
import { MessagePanel } from "../message_panel.tsx";
import { PkceSteps } from "../pkce_steps.tsx";
import { RefusalBox } from "../refusal_box.tsx";
import { shortenPath } from "../step_panel.tsx";
import type { SavedStep } from "./saved_flow.ts";

/** Returns the id of the section of an exchange. */
export function stepId(exchange: number): string {
  return `request-${exchange}`;
}

/** Everything about one exchange. */
export function SavedStepSection({ step }: { step: SavedStep }): VNode {
  const { arrow, exchange, details, refusal, formProblem, checks, proof, tokens, numbers } = step;
  const { request, response } = exchange;
  const id = stepId(exchange.id);
  const isFailed = arrow.isFailed || refusal !== undefined;
  return (
    <Section
      id={id}
      title={
        <>
          <span class="muted">{namesOf(numbers)}:</span> {request.method}{" "}
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
      <CheckList checks={checks} by="server" refusal={refusal} />
      <CheckList checks={checks} by="client" />
      {proof && <PkceSteps proof={proof} withSecrets={false} />}
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
