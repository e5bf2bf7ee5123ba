/** @jsxImportSource preact */
import type { VNode } from "preact";
import { participantNames } from "../../flows/flow_story.ts";
import { redacted } from "../../recording/redact_text.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { DecodedToken, ValidityTag } from "../parts/decoded_token.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { checkList } from "./check_list.tsx";
import type { ChosenStep } from "./flow_view.ts";
import { MessagePanel } from "./message_panel.tsx";
import { pkceSteps } from "./pkce_steps.tsx";
import { RefusalBox } from "./refusal_box.tsx";
import type { FoundToken } from "./tokens_in.ts";

interface StepPanelProps {
  page: FormOrigin;
  chosen: ChosenStep;
  withSecrets: boolean;
}

/** Everything about the exchange of one arrow. */
export function StepPanel({ page, chosen, withSecrets }: StepPanelProps): VNode {
  const { arrow, exchange, refusal, checks, proof, tokens } = chosen;
  const { request, response } = exchange;
  const ends = `${participantNames[arrow.from]} → ${participantNames[arrow.to]}`;
  return (
    <Section
      id="step"
      live
      title={
        <>
          <span class="muted">Step {arrow.step}:</span> {request.method} {shortenPath(request.path)}
        </>
      }
      actions={<StatusTag status={response?.status} isFailed={arrow.isFailed || !!refusal} />}
    >
      <p class="help">
        {ends}, request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      <Origin chosen={chosen} base={page.base} />
      <StepContents chosen={chosen} />
      <Outcome chosen={chosen} base={page.base} />
      <div id="step-checks">
        {checkList(checks, "server", refusal)}
        {checkList(checks, "client")}
      </div>
      {proof && pkceSteps(proof, withSecrets)}
      <Messages chosen={chosen} />
      <Tokens tokens={tokens} />
      <SendAgain page={page} chosen={chosen} withSecrets={withSecrets} />
    </Section>
  );
}

interface StepPartProps {
  chosen: ChosenStep;
  /** The path below which the lab lives. */
  base: string;
}

/** Says so if no client sent the request, or the lab did not see it. */
function Origin({ chosen: { arrow, exchange }, base }: StepPartProps): VNode {
  return (
    <>
      {exchange.replayOf !== undefined && (
        <p class="alert note">
          No client sent this request: the lab replayed request {exchange.replayOf}
          {exchange.past && ", and keeps nothing of it"}.{" "}
          <a href={`${base}/lab/replays/${exchange.id}`}>Compare both</a>
        </p>
      )}
      {arrow.isInferred && (
        <p class="alert note">
          The lab did not see this message. It follows from the {arrow.part} that it did see.
        </p>
      )}
    </>
  );
}

/** Explains why the request was refused, and which faults changed the response. */
function Outcome({ chosen: { exchange, refusal, formProblem }, base }: StepPartProps): VNode {
  return (
    <>
      {refusal && <RefusalBox refusal={refusal} base={base} />}
      {formProblem && <p class="alert">{formProblem}</p>}
      {exchange.faults.length > 0 && (
        <p class="alert note">
          Changed by: {exchange.faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
        </p>
      )}
    </>
  );
}

function Messages({ chosen: { details: { request, response } } }: { chosen: ChosenStep }): VNode {
  return (
    <>
      <h3 id="step-request">Request</h3>
      <p class="line">
        <code>{request.title}</code>
      </p>
      <MessagePanel what="request" message={request} />
      <h3 id="step-response">Response</h3>
      {response
        ? <MessagePanel what="response" message={response} />
        : <p>The connection was closed before the response was complete.</p>}
    </>
  );
}

function SendAgain(
  { page, chosen: { exchange: { id }, details }, withSecrets }: StepPanelProps,
): VNode {
  return (
    <>
      <h3 id="step-again">Send it again</h3>
      <CodeBlock what="curl command" text={details.curl} />
      {!withSecrets && details.curl.includes(redacted) && (
        <p class="help">Secrets are hidden; show them above to run the command.</p>
      )}
      <div class="button-row">
        <a class="button small" href={`${page.base}/lab/exchanges/${id}/edit`}>
          Change and replay
        </a>
        <LabForm page={page} action={`/exchanges/${id}/replay`} id="replay">
          <button type="submit" class="secondary small">Replay it now</button>
        </LabForm>
      </div>
    </>
  );
}

/** Leads to the parts of a long panel. */
function StepContents({ chosen: { checks, tokens } }: { chosen: ChosenStep }): VNode {
  return (
    <nav class="contents" aria-label="Parts of this step">
      {checks.length > 0 && <a href="#step-checks">Checks</a>}
      <a href="#step-request">Request</a>
      <a href="#step-response">Response</a>
      {tokens.length > 0 && <a href="#step-tokens">Tokens</a>}
      <a href="#step-again">Send it again</a>
    </nav>
  );
}

/** Shortens the random ids of a path, for a heading with the whole URL below it. */
export function shortenPath(path: string): string {
  return path.replace(/[^/]{24,}/g, "…");
}

/** Shows each one folded, with a summary of what it is and whether it is valid. */
function Tokens({ tokens }: { tokens: readonly FoundToken[] }): VNode | null {
  if (tokens.length === 0) return null;
  return (
    <>
      <h3 id="step-tokens">Decoded tokens</h3>
      {tokens.map(({ label, part, token }) => (
        <details id={`token-${part}-${label}`} class="token">
          <summary>
            <code>{label}</code> of the {part} <ValidityTag token={token} />
          </summary>
          <DecodedToken token={token} />
        </details>
      ))}
    </>
  );
}

function StatusTag(
  { status, isFailed }: { status: number | undefined; isFailed: boolean },
): VNode {
  return <Tag tone={isFailed ? "bad" : "good"}>{status ?? "no response"}</Tag>;
}
