/** @jsxImportSource preact */
import type { VNode } from "preact";
import { RefusalBox } from "../../../pages/flows/refusal_box.tsx";
import { CodeBlock } from "../../../pages/parts/copy_text.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { indentJson } from "../../../util/json_values.ts";
import type { EvaluateOptions } from "../config.ts";
import type {
  EvaluatedRefusal,
  EvaluatedResponse,
  EvaluatedResult,
  EvaluatedScope,
  Evaluation,
} from "../evaluation.ts";

/** What a client would get: each token and response, or the refusal. */
export function evaluationView(
  base: string,
  evaluation: Evaluation,
  options: EvaluateOptions,
): VNode {
  const { refusal, scope, id_token, userinfo, access_token, introspection } = evaluation;
  const { refresh_token, token_response } = evaluation;
  return (
    <div id="result" data-live>
      {refusal ? refusedBy(base, refusal) : (
        <>
          {token_response && tokenResponse(token_response)}
          <div class="split even">
            {scopeResult(scope)}
            {resultOf("Refresh token", refresh_token)}
            {resultOf("ID token", id_token)}
            {resultOf("Userinfo", userinfo)}
            {resultOf("Access token", access_token)}
            {resultOf("Introspection", introspection)}
          </div>
        </>
      )}
      <Section title="The same in a test">
        <CodeBlock what="call" text={`await lab.evaluate(${JSON.stringify(options)});`} />
      </Section>
    </div>
  );
}

/** The response as it comes over the wire: some providers send a form. */
function tokenResponse({ status, content_type, body }: EvaluatedResponse): VNode {
  return (
    <Section title="Token response" id="token-response" actions={<Tag tone="good">{status}</Tag>}>
      <p class="help">
        <code>{content_type}</code>
      </p>
      <CodeBlock what="token response" text={indentJson(body)} />
    </Section>
  );
}

function refusedBy(base: string, refusal: EvaluatedRefusal): VNode {
  return (
    <Section title="The server refuses" id="refused">
      <RefusalBox refusal={refusal} base={base} />
      <p class="help">
        At <code>{refusal.at}</code>
      </p>
    </Section>
  );
}

function scopeResult({ granted, dropped }: EvaluatedScope): VNode {
  return (
    <Section title="Scope" id="scope-result">
      <p>
        Granted: {granted.length === 0 ? "none" : <code>{granted.join(" ")}</code>}
      </p>
      {dropped.map(({ scope, why }) => (
        <p>
          <Tag tone="warn">not granted</Tag> <code>{scope}</code> {why}
        </p>
      ))}
    </Section>
  );
}

function resultOf(title: string, { comes, why, claims }: EvaluatedResult): VNode {
  const tag = comes ? <Tag tone="good">returned</Tag> : <Tag>not returned</Tag>;
  return (
    <Section title={title} actions={tag}>
      <p class="help">{why}</p>
      {Object.keys(claims).length > 0 && (
        <CodeBlock what={title} text={JSON.stringify(claims, null, 2)} />
      )}
    </Section>
  );
}
