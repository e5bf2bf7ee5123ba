/** @jsxImportSource preact */
import type { VNode } from "preact";
import { responseTitle } from "../../flows/arrow_titles.ts";
import { isFailedResponse } from "../../flows/exchange_arrows.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import { Empty } from "../parts/empty.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { OutcomeTag } from "./outcome_tag.tsx";

/** A flow of the list. */
export interface ListedFlow {
  story: FlowStory;
  requests: number;
}

interface FlowListProps {
  /** The path of the list. */
  here: string;
  homeUrl: string;
  /** The newest first. */
  flows: readonly ListedFlow[];
  /** The requests that belong to no flow, the newest first. */
  others: readonly Exchange[];
  issuer: string;
}

/** Every flow, and every request that belongs to none. The list fills while clients work. */
export function FlowListPage({ here, homeUrl, flows, others, issuer }: FlowListProps): VNode {
  return (
    <>
      <PageHead title="Flows">
        Each authorization, from the request to the last use of its tokens.
      </PageHead>
      <div class="toolbar">
        <div>
          <label for="filter">Find a flow</label>
          <input
            id="filter"
            type="search"
            data-filter=".listed"
            placeholder="client, user, error"
          />
        </div>
      </div>
      <Section title="Flows" id="flows" live>
        {flows.length > 0
          ? <FlowTable here={here} flows={flows} />
          : (
            <Empty title="No client has started a flow yet.">
              <a href={homeUrl}>Start one from the home page</a>, or send your client here.
            </Empty>
          )}
      </Section>
      <Section title="Other requests" id="others" live>
        {others.length > 0
          ? <RequestTable here={here} others={others} issuer={issuer} />
          : (
            <Empty title="None.">
              Requests that belong to no flow appear here, such as one with an unknown code.
            </Empty>
          )}
      </Section>
    </>
  );
}

function FlowTable({ here, flows }: { here: string; flows: readonly ListedFlow[] }): VNode {
  return (
    <div class="table">
      <table class="stacking">
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
          {flows.map(({ story, requests }) => (
            <tr class="listed">
              <td>
                <a href={`${here}/${story.id}`}>{story.id}</a>
              </td>
              <td data-label="Client">
                <bdi>{story.client ?? "unknown"}</bdi>
              </td>
              <td data-label="User">
                <bdi>{story.user ?? "–"}</bdi>
              </td>
              <td>
                <OutcomeTag outcome={story.outcome} />
                {story.outcome.reason && <span class="why">{story.outcome.reason}</span>}
              </td>
              <td class="number" data-label="Requests">{requests}</td>
              <td class="time" data-label="Started">{timeOf(story.startedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RequestTableProps = Pick<FlowListProps, "here" | "others" | "issuer">;

function RequestTable({ here, others, issuer }: RequestTableProps): VNode {
  return (
    <div class="table">
      <table class="stacking">
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
  const { description = note, hint } = refusalOf(exchange) ?? {};
  return (
    <tr class="listed">
      <td>
        <a href={`${here}/request-${id}`}>{request.method} {request.path}</a>
      </td>
      <td data-label="Client">
        <bdi>{request.client ?? "–"}</bdi>
      </td>
      <td>
        <Tag tone={isFailedResponse(exchange) ? "bad" : "good"}>{title}</Tag>
      </td>
      <td>{[description, hint].filter((each) => each !== undefined).join(" ")}</td>
      <td class="time" data-label="At">{timeOf(at)}</td>
    </tr>
  );
}

function timeOf(instant: number): string {
  return new Date(instant).toISOString().slice(11, 19);
}
