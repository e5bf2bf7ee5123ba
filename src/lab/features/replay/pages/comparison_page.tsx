/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { responseTitle } from "../../../flows/arrow_titles.ts";
import { exchangeDetails } from "../../../flows/exchange_details.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { MessagePanel, SecretsForm } from "../../../pages/flows/message_panel.tsx";
import { outcomeOf } from "../../../pages/flows/step_panel.tsx";
import type { LabPage, LabPageCall } from "../../../pages/page/lab_page.ts";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { type Column, Table } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { redacted } from "../../../recording/redact_text.ts";
import { refusalOf } from "../../../recording/refusal.ts";
import { callbackIn } from "../../../recording/wire_callback.ts";
import { LabError } from "../../../util/lab_error.ts";
import { compareExchanges } from "../compare_exchanges.ts";
import { requireExchange } from "../replay_request.ts";
import { parametersOf, type RequestDifference } from "../request_differences.ts";
import { ruleComparison } from "./rule_comparison.tsx";

/** A parameter or header that at least one of the requests has, with its values in both. */
interface ComparedField extends Omit<RequestDifference, "place"> {
  /** Whether they differ. Two secrets look the same if they are hidden. */
  differs: boolean;
}

const columns: ReadonlyArray<Column<ComparedField>> = [
  ["Name", ({ name }) => <code>{name}</code>],
  ["Original", ({ original }) => valueList(original)],
  ["Replay", ({ replay }) => valueList(replay)],
  ["Change", changeTag],
];

/** A request and its replay side by side: what was sent, which rules differ, and what came back. */
export function comparisonPage(lab: CoreLab, call: LabPageCall, replay: Exchange): LabPage {
  if (replay.replayOf === undefined) {
    throw new LabError(`Request ${replay.id} is no replay: a client sent it.`);
  }
  const { base } = call;
  const withSecrets = call.query.has("secrets");
  const original = requireExchange(lab, replay.replayOf);
  const { summary, renewed, rules, differences } = compareExchanges(original, replay, withSecrets);
  const { id, request: { method, path } } = original;
  const again = `${base}/lab/exchanges/${id}/edit${withSecrets ? "?secrets=on" : ""}`;
  return {
    title: `Request ${id} and its replay`,
    area: "flows",
    style: "flows.css",
    isLive: true,
    content: (
      <>
        <PageHead
          title={`Request ${id} and its replay`}
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
          <p id="summary">{summary}</p>
          {renewed.length > 0 && <p id="renewed" class="help">{renewed.join(" ")}</p>}
          {ruleComparison(rules, base)}
        </Section>
        <Section title="Requests" id="requests">
          <p class="help">
            {differences.length === 0
              ? "Both are the same."
              : `${counted(differences.length, "difference")}.`}{" "}
            Headers that are the same are left out.
          </p>
          <Table
            columns={columns}
            entries={[
              ...parameterFields(original, replay, differences, withSecrets),
              ...differences.filter(({ place }) => place !== "parameter").map(asField),
            ]}
          />
        </Section>
        <div class="split">
          {responseSection(lab, call, original, "Original")}
          {responseSection(lab, call, replay, "Replay")}
        </div>
      </>
    ),
  };
}

/** Returns every parameter of both requests, in the order of the original. */
function parameterFields(
  original: Exchange,
  replay: Exchange,
  differences: readonly RequestDifference[],
  withSecrets: boolean,
): ComparedField[] {
  const [before, after] = [original, replay]
    .map((each) => parametersOf((withSecrets ? each : redact(each)).request));
  const names = [...new Set([...before?.keys() ?? [], ...after?.keys() ?? []])];
  return names.map((name) => {
    const found = differences.find((each) => each.place === "parameter" && each.name === name);
    if (found) return asField(found);
    const [sent, sentAgain] = [before?.get(name) ?? [], after?.get(name) ?? []];
    return { name, original: sent, replay: sentAgain, differs: false };
  });
}

function asField(difference: RequestDifference): ComparedField {
  return { ...difference, differs: true };
}

function changeTag({ original, replay, differs }: ComparedField): VNode | null {
  if (!differs) return null;
  const isHidden = replay.includes(redacted);
  const changed = isHidden ? "another value, shown with the secrets" : "changed";
  const leftOutOrChanged = replay.length === 0 ? "left out" : changed;
  return <Tag tone="warn">{original.length === 0 ? "added" : leftOutOrChanged}</Tag>;
}

function valueList(values: readonly string[]): VNode {
  if (values.length === 0) return <span class="muted">not sent</span>;
  return (
    <>
      {values.map((value) =>
        value === redacted
          ? <span class="muted">hidden</span>
          : <code class="value">{value === "" ? "(nothing)" : value}</code>
      )}
    </>
  );
}

function responseSection(
  lab: CoreLab,
  { base, query }: LabPageCall,
  exchange: Exchange,
  title: "Original" | "Replay",
): VNode {
  const { id, response } = exchange;
  const name = title.toLowerCase();
  const refusal = refusalOf(exchange);
  const isFailed = refusal !== undefined || !response;
  const details = exchangeDetails(exchange, lab.issuer, query.has("secrets"));
  const came = responseTitle(exchange, response && callbackIn(response, lab.issuer));
  return (
    <Section
      id={name}
      title={`${title}: request ${id}`}
      actions={<Tag tone={isFailed ? "bad" : "good"}>{response?.status ?? "no response"}</Tag>}
    >
      {outcomeOf({ exchange, refusal, formProblem: undefined }, { base, id: `${name}-refusal` })}
      <p class="line">{[came.title, came.note].filter((each) => each !== undefined).join(": ")}</p>
      <MessagePanel what={`${name}-response`} message={details.response} />
      <p>
        <a href={`${base}/lab${flowPath(lab, id)}`}>All of request {id}, in its flow</a>
      </p>
    </Section>
  );
}
