/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import { responseTitle } from "../../flows/arrow_titles.ts";
import { isFailedResponse } from "../../flows/exchange_arrows.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type ReceivedAndExpected, refusalOf } from "../../recording/refusal.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import { Comparison } from "../parts/comparison.tsx";
import { Empty } from "../parts/empty.tsx";
import { CheckBox } from "../parts/fields.tsx";
import { FilterForm, FilterSelect } from "../parts/filter_form.tsx";
import { Count, pageOf, Pager } from "../parts/pager.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { type FlowLists, type ListedFlow, spanChoices } from "./flow_filter.ts";
import { OutcomeTag } from "./outcome_tag.tsx";

/** Requests that belong to no flow come below the flows, and each takes several lines. */
const othersOnPage = 10;

interface FlowListProps {
  /** The path of the list. */
  here: string;
  homeUrl: string;
  lists: FlowLists;
  query: URLSearchParams;
  issuer: string;
}

/** Every flow, and every request that belongs to none. The list fills while clients work. */
export function FlowListPage({ here, homeUrl, lists, query, issuer }: FlowListProps): VNode {
  const flows = pageOf(lists.flows, query.get("page"));
  const others = pageOf(lists.others, query.get("others"), othersOnPage);
  return (
    <>
      <PageHead title="Flows">
        Each authorization, from the request to the last use of its tokens.
      </PageHead>
      <FlowFilter here={here} lists={lists} query={query} />
      <Section
        title="Flows"
        id="flows"
        live
        actions={<Count shown={flows.total} all={lists.allFlows} />}
      >
        {flows.total > 0
          ? <FlowTable here={here} flows={flows.entries} />
          : <NoFlow isFiltered={lists.allFlows > 0} homeUrl={homeUrl} />}
        <Pager what="flows" page={flows} path={here} query={query} />
      </Section>
      <Section
        title="Other requests"
        id="others"
        live
        actions={<Count shown={others.total} all={others.total} />}
      >
        {others.total > 0
          ? <RequestTable here={here} others={others.entries} issuer={issuer} />
          : (
            <Empty title="None">
              Requests that belong to no flow appear here, such as one with an unknown code.
            </Empty>
          )}
        <Pager what="other requests" page={others} path={here} query={query} parameter="others" />
      </Section>
    </>
  );
}

function FlowFilter({ here, lists, query }: Pick<FlowListProps, "here" | "lists" | "query">) {
  const { clients, endpoints } = lists;
  return (
    <FilterForm action={here} label="Find a flow" hint="client, user, error" query={query}>
      <FilterSelect
        name="client"
        label="Client"
        none="any client"
        choices={clients}
        query={query}
      />
      <FilterSelect
        name="endpoint"
        label="Endpoint"
        none="any endpoint"
        choices={endpoints}
        query={query}
      />
      <FilterSelect name="since" label="Time" none="any time" choices={spanChoices} query={query} />
      <CheckBox name="refused" checked={query.has("refused")} label="Refused only" />
    </FilterForm>
  );
}

function NoFlow({ isFiltered, homeUrl }: { isFiltered: boolean; homeUrl: string }): VNode {
  if (isFiltered) return <Empty title="No flow matches the filter" />;
  return (
    <Empty title="No client has started a flow yet.">
      <a href={homeUrl}>Start one from the home page</a>, or send your client here.
    </Empty>
  );
}

function FlowTable({ here, flows }: { here: string; flows: readonly ListedFlow[] }): VNode {
  return (
    <div class="table">
      <table class="stacking compact">
        <thead>
          <tr>
            <th>Flow</th>
            <th>Client</th>
            <th>User</th>
            <th class="main-column">Outcome</th>
            <th class="number">Requests</th>
            <th>Started</th>
          </tr>
        </thead>
        <tbody>
          {flows.map((flow) => <FlowRow {...flow} here={here} />)}
        </tbody>
      </table>
    </div>
  );
}

function FlowRow(props: ListedFlow & { here: string }): VNode {
  const { here, id, client, user, outcome, refusals, faults, requests, startedAt } = props;
  return (
    <tr>
      <td class="first-line">
        <a href={`${here}/${id}`}>{id}</a>
      </td>
      <td>
        <bdi>{client ?? "unknown"}</bdi>
      </td>
      <td>{user !== undefined && <bdi>{user}</bdi>}</td>
      <td class="outcome">
        <OutcomeTag outcome={outcome} />
        {refusals > 0 && <Tag tone="warn">{counted(refusals, "request")} refused</Tag>}
        {faults.map((name) => <Tag tone="warn">{name}</Tag>)}
        {outcome.refusal && <Why {...outcome.refusal} />}
      </td>
      <td class="number" data-label="Requests">{requests}</td>
      <td class="time">{timeOf(startedAt)}</td>
    </tr>
  );
}

interface RequestTableProps {
  here: string;
  others: readonly Exchange[];
  issuer: string;
}

function RequestTable({ here, others, issuer }: RequestTableProps): VNode {
  return (
    <div class="table">
      <table class="stacking compact">
        <thead>
          <tr>
            <th>Request</th>
            <th>Client</th>
            <th>Response</th>
            <th class="main-column">Why</th>
            <th>At</th>
          </tr>
        </thead>
        <tbody>
          {others.map((exchange) => <RequestRow here={here} exchange={exchange} issuer={issuer} />)}
        </tbody>
      </table>
    </div>
  );
}

interface RequestRowProps {
  here: string;
  exchange: Exchange;
  issuer: string;
}

function RequestRow({ here, exchange, issuer }: RequestRowProps): VNode {
  const { id, at, request, response } = exchange;
  const { title, note } = responseTitle(exchange, response && callbackIn(response, issuer));
  const { description = note, ...refusal } = refusalOf(exchange) ?? {};
  return (
    <tr>
      <td class="first-line">
        <a href={`${here}/request-${id}`}>{request.method} {request.path}</a>
      </td>
      <td>{request.client !== undefined && <bdi>{request.client}</bdi>}</td>
      <td class="first-line">
        <Tag tone={isFailedResponse(exchange) ? "bad" : "good"}>{title}</Tag>
      </td>
      <td class="whole-line">
        <Why {...refusal} description={description} />
      </td>
      <td class="time">{timeOf(at)}</td>
    </tr>
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

function timeOf(instant: number): string {
  return new Date(instant).toISOString().slice(11, 19);
}
