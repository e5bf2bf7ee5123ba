/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted, describeSpan } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { responseTitle } from "../../flows/arrow_titles.ts";
import { isFailedResponse } from "../../flows/exchange_arrows.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type ReceivedAndExpected, refusalOf } from "../../recording/refusal.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import type { LabPage, LabPageCall } from "../page/lab_page.ts";
import type { Field } from "../parts/fields.tsx";
import { Count, FilterForm, pageOf, Pager } from "../parts/long_list.tsx";
import { NoClientYet } from "../parts/no_client_yet.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type Column, Comparison, Empty, Table } from "../parts/tables.tsx";
import { Ago, OutcomeTag, Tag } from "../parts/tag.tsx";
import { filterFlows, type FlowLists, type ListedFlow, spanChoices } from "./flow_filter.ts";

/** Requests that belong to no flow come below the flows, and each takes several lines. */
const othersOnPage = 10;

/** The page of every flow, and of every request that belongs to none. */
export function flowListPage(lab: CoreLab, { base, homeUrl, query }: LabPageCall): LabPage {
  const path = `${base}/lab/flows`;
  const lists = filterFlows(lab, query);
  const flows = pageOf(lists.flows, query.get("page"));
  const others = pageOf(lists.others, query.get("others"), othersOnPage);
  return {
    title: "Flows",
    area: "flows",
    style: "flows.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Flows">
          Each authorization, from the request to the last use of its tokens.
        </PageHead>
        <FilterForm
          action={path}
          label="Find a flow"
          hint="client, user, error"
          query={query}
          fields={filterFields(lists)}
        />
        <Section
          title="Flows"
          id="flows"
          live
          actions={<Count shown={flows.total} all={lists.allFlows} />}
        >
          {flows.total > 0
            ? flowTable(path, flows.entries, lab.clock.now())
            : lists.allFlows > 0
            ? <Empty title="No flow matches the filter" />
            : <NoClientYet lab={lab} homeUrl={homeUrl} title="No client has started a flow yet" />}
          <Pager what="flows" page={flows} path={path} query={query} />
        </Section>
        <Section
          title="Other requests"
          id="others"
          live
          actions={<Count shown={others.total} all={others.total} />}
        >
          {others.total > 0 ? requestTable(path, others.entries, lab) : (
            <Empty title="None">
              Requests that belong to no flow appear here, such as one with an unknown code.
            </Empty>
          )}
          <Pager
            what="other requests"
            page={others}
            path={path}
            query={query}
            parameter="others"
          />
        </Section>
      </>
    ),
  };
}

function filterFields({ clients, endpoints }: FlowLists): Field[] {
  return [
    { name: "client", label: "Client", choices: [["", "any client"], ...clients] },
    { name: "endpoint", label: "Endpoint", choices: [["", "any endpoint"], ...endpoints] },
    { name: "since", label: "Time", choices: [["", "any time"], ...spanChoices] },
    { name: "refused", label: "Refused only", kind: "check" },
  ];
}

function flowTable(path: string, flows: readonly ListedFlow[], now: number): VNode {
  const columns: ReadonlyArray<Column<ListedFlow>> = [
    [
      "Flow",
      (flow) => (
        <a href={`${path}/${flow.id}`}>
          <bdi>{nameFlow(flow)}</bdi>
        </a>
      ),
      { class: "first-line" },
    ],
    ["Outcome", outcomeOf, { class: "main-column outcome" }],
    ["Requests", ({ requests }) => requests, { class: "number", isLabeled: true }],
    ["Took", timeTaken, { class: "number", isLabeled: true }],
    ["Started", ({ startedAt }) => <Ago at={startedAt} now={now} />, { class: "time" }],
  ];
  return (
    <div class="table">
      <Table columns={columns} entries={flows} isCompact />
    </div>
  );
}

function timeTaken({ took }: ListedFlow): string {
  return took < 1000 ? `${took} ms` : describeSpan(took);
}

function outcomeOf({ outcome, refusals, faults }: ListedFlow): VNode {
  return (
    <>
      <OutcomeTag outcome={outcome} />
      {refusals > 0 && <Tag tone="warn">{counted(refusals, "request")} refused</Tag>}
      {faults.map((name) => <Tag tone="warn">{name}</Tag>)}
      {outcome.refusal && <Why {...outcome.refusal} />}
    </>
  );
}

function requestTable(
  path: string,
  others: readonly Exchange[],
  { issuer, clock }: CoreLab,
): VNode {
  const titleOf = (exchange: Exchange) =>
    responseTitle(exchange, exchange.response && callbackIn(exchange.response, issuer));
  const columns: ReadonlyArray<Column<Exchange>> = [
    [
      "Request",
      ({ id, request: { method, path: requested } }) => (
        <a href={`${path}/request-${id}`}>{method} {requested}</a>
      ),
      { class: "first-line" },
    ],
    ["Client", ({ request: { client } }) => client !== undefined && <bdi>{client}</bdi>],
    [
      "Response",
      (exchange) => (
        <Tag tone={isFailedResponse(exchange) ? "bad" : "good"}>{titleOf(exchange).title}</Tag>
      ),
      { class: "first-line" },
    ],
    ["Why", (exchange) => {
      const { description = titleOf(exchange).note, ...refusal } = refusalOf(exchange) ?? {};
      return <Why {...refusal} description={description} />;
    }, { class: "main-column whole-line" }],
    ["At", ({ at }) => <Ago at={at} now={clock.now()} />, { class: "time" }],
  ];
  return (
    <div class="table">
      <Table columns={columns} entries={others} isCompact />
    </div>
  );
}

interface WhyProps extends ReceivedAndExpected {
  description: string | undefined;
}

/** Why a request was refused, in a few lines. */
function Why({ description, received, expected }: WhyProps): VNode | null {
  if (description === undefined) return null;
  return (
    <div class="why">
      <p>{description}</p>
      <Comparison received={received} expected={expected} />
    </div>
  );
}
