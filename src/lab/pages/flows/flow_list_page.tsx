/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DescribedExchange } from "../../flows/describe_exchange.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { Empty } from "../parts/empty.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { OutcomeTag } from "./outcome_tag.tsx";

/** A flow of the list. */
export interface ListedFlow {
  story: FlowStory;
  requests: number;
}

/** A request of the list that belongs to no flow. */
export interface ListedRequest {
  exchange: Exchange;
  described: DescribedExchange;
}

interface FlowListProps {
  /** The path of the list. */
  here: string;
  homeUrl: string;
  /** The newest first. */
  flows: readonly ListedFlow[];
  others: readonly ListedRequest[];
}

/** Every flow, and every request that belongs to none. The list fills while clients work. */
export function FlowListPage({ here, homeUrl, flows, others }: FlowListProps): VNode {
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
        {others.length > 0 ? <RequestTable here={here} others={others} /> : (
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

function RequestTable({ here, others }: { here: string; others: readonly ListedRequest[] }): VNode {
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
          {others.map(({ exchange: { id, at, request }, described }) => (
            <tr class="listed">
              <td>
                <a href={`${here}/request-${id}`}>{request.method} {request.path}</a>
              </td>
              <td data-label="Client">
                <bdi>{request.client ?? "–"}</bdi>
              </td>
              <td>
                <Tag tone={described.isFailed ? "bad" : "good"}>{described.response}</Tag>
              </td>
              <td>{whyOf(described)}</td>
              <td class="time" data-label="At">{timeOf(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function whyOf({ reason, hint, result }: DescribedExchange): string {
  return [reason ?? result, hint].filter((each) => each !== undefined).join(" ");
}

function timeOf(instant: number): string {
  return new Date(instant).toISOString().slice(11, 19);
}
