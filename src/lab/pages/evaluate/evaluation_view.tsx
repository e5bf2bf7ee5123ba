/** @jsxImportSource preact */
import type { VNode } from "preact";
import type {
  AbsentClaim,
  ClaimSource,
  EvaluatedClaim,
  EvaluatedRefusal,
  EvaluatedResult,
  EvaluatedScope,
  EvaluateOptions,
  Evaluation,
} from "../../control/evaluation.ts";
import { describeRefusal } from "../../recording/refusal.ts";
import { showValue } from "../../util/show_value.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";

interface EvaluationViewProps {
  base: string;
  evaluation: Evaluation;
  options: EvaluateOptions;
}

/** What a client would get: each token and response, or the refusal. */
export function EvaluationView({ base, evaluation, options }: EvaluationViewProps): VNode {
  const { refusal, scope } = evaluation;
  return (
    <div id="result">
      {refusal ? <Refused base={base} refusal={refusal} /> : (
        <>
          <ScopeView scope={scope} />
          <div class="split">
            <ResultView title="ID token" result={evaluation.id_token} />
            <ResultView title="Userinfo" result={evaluation.userinfo} />
            <ResultView title="Access token" result={evaluation.access_token} />
            <ResultView title="Introspection" result={evaluation.introspection} />
            <ResultView title="Refresh token" result={evaluation.refresh_token} />
          </div>
        </>
      )}
      <Section title="The same in a test">
        <CodeBlock what="call" text={`await lab.evaluate(${JSON.stringify(options)});`} />
      </Section>
    </div>
  );
}

function Refused({ base, refusal }: { base: string; refusal: EvaluatedRefusal }): VNode {
  return (
    <Section title="The server refuses" id="refused">
      <p class="alert" role="status">{describeRefusal(refusal)}</p>
      <p>
        At <code>{refusal.at}</code>
        {refusal.rule && (
          <>
            , by the rule{" "}
            <a href={`${base}/lab/rules#${refusal.rule}`}>
              <code>{refusal.rule}</code>
            </a>
          </>
        )}.
      </p>
    </Section>
  );
}

function ScopeView({ scope: { granted, dropped } }: { scope: EvaluatedScope }): VNode {
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

function ResultView({ title, result }: { title: string; result: EvaluatedResult }): VNode {
  const { comes, why, origins, absent } = result;
  const tag = comes ? <Tag tone="good">comes</Tag> : <Tag>does not come</Tag>;
  return (
    <Section title={title} actions={tag}>
      <p class="help">{why}</p>
      {origins.length > 0 && (
        <table class="claims">
          <caption>Claims</caption>
          <tbody>{origins.map((claim) => <ClaimRow claim={claim} />)}</tbody>
        </table>
      )}
      {absent.length > 0 && <AbsentClaims absent={absent} />}
    </Section>
  );
}

function ClaimRow({ claim: { name, value, sources } }: { claim: EvaluatedClaim }): VNode {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        <code class="value">{showValue(value)}</code>
        {sources.map((source) => <SourceLine source={source} />)}
      </td>
    </tr>
  );
}

function SourceLine({ source: { kind, rule, see } }: { source: ClaimSource }): VNode {
  return (
    <p class="help">
      <Tag tone={kind === "hook" ? "warn" : "neutral"}>{kind}</Tag> {rule}{" "}
      {see && <span class="see">{see}</span>}
    </p>
  );
}

/** The claims are grouped by the reason, which many share. */
function AbsentClaims({ absent }: { absent: readonly AbsentClaim[] }): VNode {
  const reasons = [...new Set(absent.map(({ why }) => why))];
  return (
    <details>
      <summary>{`${absent.length} claims do not come`}</summary>
      {reasons.map((why) => (
        <p>
          <code>{absent.filter((each) => each.why === why).map(({ name }) => name).join(" ")}</code>
          <br />
          {why}
        </p>
      ))}
    </details>
  );
}
