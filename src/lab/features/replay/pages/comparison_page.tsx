/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/describe_span.ts";
import { MessagePanel } from "../../../pages/flows/message_panel.tsx";
import { RefusalBox } from "../../../pages/flows/refusal_box.tsx";
import { SecretsForm } from "../../../pages/flows/secrets_form.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { refusalOf } from "../../../recording/refusal.ts";
import type { ComparedField, ComparedSide, ComparisonView } from "./comparison_view.ts";
import { RuleComparison } from "./rule_comparison.tsx";

interface ComparisonPageProps {
  /** The path below which the lab lives. */
  base: string;
  view: ComparisonView;
}

/** A request and its replay side by side: what was sent, which rules differ, and what came back. */
export function ComparisonPage({ base, view }: ComparisonPageProps): VNode {
  const { original, replay, comparison, withSecrets, mintPath } = view;
  const { request: { method, path } } = original.exchange;
  const again = `${base}/lab/exchanges/${original.id}/edit${withSecrets ? "?secrets=on" : ""}`;
  return (
    <>
      <PageHead
        title={`Request ${original.id} and its replay`}
        actions={
          <>
            <a class="button small" href={again}>Change something else</a>
            <SecretsForm here={`${base}/lab/replays/${replay.id}`} withSecrets={withSecrets} />
          </>
        }
      >
        <code>
          {method} {path}
        </code>
      </PageHead>
      <Section title="What differs" id="rules">
        <p id="summary">
          {comparison.summary} {mintPath !== undefined && <a href={mintPath}>Mint a valid one</a>}
        </p>
        <RuleComparison rules={comparison.rules} base={base} />
      </Section>
      <Section title="Requests" id="requests">
        <Fields view={view} />
      </Section>
      <div class="split">
        <Response title="Original" id="original" side={original} base={base} />
        <Response title="Replay" id="replay" side={replay} base={base} />
      </div>
    </>
  );
}

function Fields({ view: { parameters, others, comparison } }: { view: ComparisonView }): VNode {
  const { length } = comparison.differences;
  return (
    <>
      <p class="help">
        {length === 0 ? "Both are the same." : `${counted(length, "difference")}.`}{" "}
        Headers that are the same are left out.
      </p>
      <div class="table">
        <table class="stacking">
          <thead>
            <tr>
              <th>Name</th>
              <th>Original</th>
              <th>Replay</th>
              <th>Change</th>
            </tr>
          </thead>
          <tbody>{[...parameters, ...others].map((field) => <Field {...field} />)}</tbody>
        </table>
      </div>
    </>
  );
}

function Field({ name, original, replay, change }: ComparedField): VNode {
  return (
    <tr class={change === "same" ? undefined : "differs"}>
      <td>
        <code>{name}</code>
      </td>
      <td data-label="Original">
        <Values values={original} />
      </td>
      <td data-label="Replay">
        <Values values={replay} />
      </td>
      <td data-label="Change">{change !== "same" && <Tag tone="warn">{change}</Tag>}</td>
    </tr>
  );
}

function Values({ values }: { values: readonly string[] }): VNode {
  if (values.length === 0) return <span class="muted">not sent</span>;
  return (
    <>
      {values.map((value) => <code class="value">{value === "" ? "(nothing)" : value}</code>)}
    </>
  );
}

interface ComparedSideProps {
  title: string;
  id: string;
  side: ComparedSide;
  base: string;
}

function Response({ title, id, side, base }: ComparedSideProps): VNode {
  const { exchange, details } = side;
  const refusal = refusalOf(exchange);
  const isFailed = refusal !== undefined || !exchange.response;
  return (
    <Section
      id={id}
      title={`${title}: request ${side.id}`}
      actions={
        <Tag tone={isFailed ? "bad" : "good"}>{exchange.response?.status ?? "no response"}</Tag>
      }
    >
      {refusal && <RefusalBox refusal={refusal} base={base} id={`${id}-refusal`} />}
      {exchange.faults.length > 0 && (
        <p class="alert note">
          Changed by: {exchange.faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
        </p>
      )}
      <p class="line">{side.summary}</p>
      {details.response
        ? <MessagePanel what={`${id}-response`} message={details.response} />
        : <p>The connection was closed before the response was complete.</p>}
      <p>
        <a href={`${base}/lab${side.flowPath}`}>All of request {side.id}, in its flow</a>
      </p>
    </Section>
  );
}
