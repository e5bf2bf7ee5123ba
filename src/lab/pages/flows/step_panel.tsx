/** @jsxImportSource preact */
import type { VNode } from "preact";
import { participantNames, shortenPath } from "../../flows/flow_story.ts";
import { redacted } from "../../recording/redact_text.ts";
import type { Refusal } from "../../recording/refusal.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { DecodedToken, ValidityTag } from "../parts/decoded_token.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { checkList } from "./check_list.tsx";
import type { ChosenStep } from "./flow_view.ts";
import { MessagePanel } from "./message_panel.tsx";
import { pkceSteps } from "./pkce_proof.tsx";
import { RefusalBox } from "./refusal_box.tsx";
import type { FoundToken } from "./tokens_in.ts";

/** Everything about the exchange of one arrow. */
export function stepPanel(
  call: LabPageCall,
  chosen: ChosenStep,
  { withSecrets, above }: { withSecrets: boolean; above?: Refusal | undefined },
): VNode {
  const { arrow, exchange, refusal, checks, proof, tokens } = chosen;
  const { request } = exchange;
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
      actions={statusTag(chosen)}
    >
      <p class="help">
        {ends}, request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      {originNote(chosen)}
      {contentsOf(chosen)}
      {outcomeNotes(isSame(refusal, above) ? { ...chosen, refusal: undefined } : chosen, {
        base: call.base,
        id: "step-refusal",
      })}
      <div id="step-checks">
        {checkList(checks, "server", refusal)}
        {checkList(checks, "client")}
      </div>
      {proof && pkceSteps(proof, withSecrets)}
      {messagePanels(chosen)}
      {tokens.length > 0 && tokenList(tokens)}
      {sendAgain(chosen, withSecrets)}
    </Section>
  );
}

/** Whether the page shows a refusal above the step already. */
function isSame(refusal: Refusal | undefined, above: Refusal | undefined): boolean {
  return refusal?.description === above?.description && refusal?.received === above?.received;
}

/** Says so if the lab did not see the message. */
export function originNote({ arrow }: ChosenStep): VNode | false {
  return arrow.isInferred && (
    <p class="alert note">
      The lab did not see this message. It follows from the {arrow.part} that it did see.
    </p>
  );
}

/** Explains why the request was refused, and which faults changed the response. */
export function outcomeNotes(
  { exchange, refusal, formProblem }: Pick<ChosenStep, "exchange" | "refusal" | "formProblem">,
  place: { base?: string; id?: string },
): VNode {
  return (
    <>
      {refusal && <RefusalBox refusal={refusal} {...place} />}
      {formProblem && <p class="alert">{formProblem}</p>}
      {exchange.finding?.isAccepted
        ? <p class="alert">Attacked: {exchange.finding.id}, and accepted.</p>
        : exchange.faults.length > 0 && (
          <p class="alert note">
            Changed by: {exchange.faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
          </p>
        )}
    </>
  );
}

/** The request and the response. `prefix` begins the ids of their parts. */
export function messagePanels({ details: { request, response } }: ChosenStep, prefix = ""): VNode {
  return (
    <>
      <h3 id={`${prefix}step-request`}>Request</h3>
      <p class="line">
        <code>{request.title}</code>
      </p>
      <MessagePanel what={`${prefix}request`} message={request} />
      <h3 id={`${prefix}step-response`}>Response</h3>
      <MessagePanel what={`${prefix}response`} message={response} />
    </>
  );
}

function sendAgain({ details, unusable }: ChosenStep, withSecrets: boolean): VNode {
  return (
    <>
      <h3 id="step-again">Send it again</h3>
      <CodeBlock what="curl command" text={details.curl} />
      {!withSecrets && details.curl.includes(redacted) && (
        <p class="help">Secrets are hidden; show them above to run the command.</p>
      )}
      {unusable.map((sentence) => <p class="help">{sentence}</p>)}
    </>
  );
}

/** Leads to the parts of a long panel. */
function contentsOf({ checks, tokens }: ChosenStep): VNode {
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

/** Shows each one folded, with a summary of what it is and whether it is valid. */
function tokenList(tokens: readonly FoundToken[]): VNode {
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

/** Shows how the exchange ended. */
export function statusTag({ arrow, exchange: { response }, refusal }: ChosenStep): VNode {
  const isFailed = arrow.isFailed || refusal !== undefined;
  return <Tag tone={isFailed ? "bad" : "good"}>{response?.status ?? "no response"}</Tag>;
}
