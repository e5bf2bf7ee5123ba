/** @jsxImportSource preact */
import type { VNode } from "preact";
import { participantNames } from "../../flows/flow_story.ts";
import type { Refusal } from "../../recording/refusal.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { DecodedToken, ValidityTag } from "../parts/decoded_token.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { Section } from "../parts/section.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import { CheckList } from "./check_list.tsx";
import type { ChosenStep } from "./flow_view.ts";
import { MessagePanel } from "./message_panel.tsx";
import { PkceSteps } from "./pkce_steps.tsx";
import type { FoundToken } from "./tokens_in.ts";

interface StepPanelProps {
  page: FormOrigin;
  chosen: ChosenStep;
  withSecrets: boolean;
}

/** Everything about the exchange of one arrow. */
export function StepPanel({ page, chosen, withSecrets }: StepPanelProps): VNode {
  const { arrow, exchange, details, refusal, checks, proof, tokens } = chosen;
  const { request, response } = exchange;
  const ends = `${participantNames[arrow.from]} → ${participantNames[arrow.to]}`;
  return (
    <Section
      id="step"
      live
      title={
        <>
          <span class="muted">Step {arrow.step}:</span> {request.method} {shorten(request.path)}
        </>
      }
      actions={<StatusTag status={response?.status} isFailed={arrow.isFailed || !!refusal} />}
    >
      <p class="help">
        {ends}, request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      {arrow.isInferred && (
        <p class="alert note">
          The lab did not see this message. It follows from the {arrow.part} that it did see.
        </p>
      )}
      <StepContents chosen={chosen} />
      {refusal && <RefusalBox refusal={refusal} base={page.base} />}
      {exchange.faults.length > 0 && (
        <p class="alert note">
          Changed by: {exchange.faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
        </p>
      )}
      <div id="step-checks">
        <CheckList checks={checks} by="server" />
        <CheckList checks={checks} by="client" />
      </div>
      {proof && <PkceSteps proof={proof} withSecrets={withSecrets} />}
      <h3 id="step-request">Request</h3>
      <p class="line">
        <code>{details.request.title}</code>
      </p>
      <MessagePanel what="request" message={details.request} />
      <h3 id="step-response">Response</h3>
      {details.response
        ? <MessagePanel what="response" message={details.response} />
        : <p>The connection was closed before the response was complete.</p>}
      <Tokens tokens={tokens} />
      <h3 id="step-again">Send it again</h3>
      <CodeBlock what="curl command" text={details.curl} />
      {!withSecrets && <p class="help">Secrets are hidden; show them above to run the command.</p>}
      <LabForm page={page} action={`/exchanges/${exchange.id}/replay`} id="replay">
        <button type="submit" class="secondary small">Replay this request</button>
      </LabForm>
    </Section>
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

/** A random id fills a heading and helps no one; the whole URL is below it. */
function shorten(path: string): string {
  return path.replace(/[^/]{24,}/g, "…");
}

/** Each is folded; its summary says what it is, and whether it is valid. */
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

function RefusalBox({ refusal, base }: { refusal: Refusal; base: string }): VNode {
  const { error, description, hint, see, rule, fix } = refusal;
  return (
    <div class="refusal" id="refusal">
      <p class="refusal-title">
        <code>{error}</code> {description}
      </p>
      {hint && <p>{hint}</p>}
      {fix && <p>{fix}</p>}
      <p class="see">
        {see && <SectionLink see={see} />}
        {rule && (
          <>
            {see && " · "}Rule{" "}
            <a href={`${base}/lab/rules#${rule}`}>
              <code class="rule">{rule}</code>
            </a>
          </>
        )}
      </p>
    </div>
  );
}
