/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { counted, describeSpan, minute } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { responseTitle } from "../../flows/arrow_titles.ts";
import { isFailedResponse } from "../../flows/exchange_arrows.ts";
import { type FlowOutcome, nameParties } from "../../flows/flow_story.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import type { LabPage, LabPageCall } from "../page/lab_page.ts";
import { ShortName } from "../parts/copy_text.tsx";
import type { Field } from "../parts/fields.tsx";
import { Count, FilterForm, Paged } from "../parts/long_list.tsx";
import { NoClientYet } from "../parts/no_client_yet.tsx";
import { type ListRow, Rows } from "../parts/rows.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Empty } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";
import {
  filterFlows,
  type FlowLists,
  groupFlows,
  groupOthers,
  type ListedFlow,
  spanChoices,
} from "./flow_filter.ts";
import { flowPreview } from "./flow_preview.tsx";

const rowsOnPage = 100;
/** Requests that belong to no flow come below the flows. */
const othersOnPage = 10;

/** The page of every flow, and of every request that belongs to none. */
export function flowListPage(lab: CoreLab, call: LabPageCall): LabPage {
  const { base, homeUrl, query } = call;
  const path = `${base}/lab/flows`;
  const lists = filterFlows(lab, query);
  const now = lab.clock.now();
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
        <div class="browse">
          <Section
            title={titleOf(lists, call)}
            id="flows"
            live
            actions={lists.allFlows > 0 && (
              <FlowActions shown={lists.flows.length} all={lists.allFlows} />
            )}
          >
            <Paged
              what="flows"
              list={groupFlows(lists.flows, query)}
              size={rowsOnPage}
              path={path}
              query={query}
            >
              {(groups) => (
                <Rows
                  rows={groups.flatMap((group) =>
                    group.length > 1
                      ? rowOfGroup(group, call, now)
                      : group.map((flow) => rowOf(flow, path, query, now))
                  )}
                  empty={lists.allFlows > 0
                    ? <Empty title="No flow matches the filter" />
                    : (
                      <NoClientYet
                        lab={lab}
                        homeUrl={homeUrl}
                        title="No client has started a flow yet"
                      />
                    )}
                />
              )}
            </Paged>
          </Section>
          {flowPreview(lab, path, query)}
        </div>
        <Section title="Other requests" id="others" live>
          <Paged
            what="other requests"
            list={groupOthers(lists.others, query)}
            size={othersOnPage}
            path={path}
            query={query}
            parameter="others"
          >
            {(groups) => (
              <Rows
                rows={groups.map(([first, ...more]) =>
                  more.length > 0
                    ? rowOfOthers([first, ...more], call, lists)
                    : requestRow(first, path, lab)
                )}
                empty={
                  <Empty title="None">
                    Requests that belong to no flow appear here, such as one with an unknown code.
                  </Empty>
                }
              />
            )}
          </Paged>
        </Section>
      </>
    ),
  };
}

function titleOf({ flows: [first] }: FlowLists, call: LabPageCall): ComponentChildren {
  const like = call.query.get("like");
  if (like === null) return "All flows";
  return first?.drill === undefined ? `Flows like ${like}` : nameOfDrill(call, first.drill);
}

function nameOfDrill({ additions }: LabPageCall, drill: number): ComponentChildren {
  return additions("the name of a drill", String(drill));
}

/** How many flows there are, and the keys that walk through them. */
function FlowActions(count: { shown: number; all: number }): VNode {
  return (
    <>
      <span class="keys">
        <kbd>j</kbd> next, <kbd>k</kbd> previous
      </span>
      <Count {...count} />
    </>
  );
}

function filterFields({ clients, endpoints }: FlowLists): Field[] {
  const faults = [["", "any"], ["without", "without faults"], [
    "only",
    "changed by a fault",
  ]] as const;
  return [
    { name: "client", label: "Client", choices: [["", "any client"], ...clients] },
    { name: "endpoint", label: "Endpoint", choices: [["", "any endpoint"], ...endpoints] },
    { name: "since", label: "Time", choices: [["", "any time"], ...spanChoices] },
    { name: "faults", label: "Faults", choices: faults },
    { name: "refused", label: "Refused only", kind: "check" },
  ];
}

/**
 * The row of a flow, which leads to its page; where there is room, a script shows the flow next to
 * the list.
 */
function rowOf(flow: ListedFlow, path: string, query: URLSearchParams, now: number): ListRow {
  const { id, startedAt, endedAt, request } = flow;
  const { kind, title, refusal } = outcomeNow(flow, now);
  const peek = new URLSearchParams(query);
  peek.set("flow", id);
  return {
    id: `row-${id}`,
    tone: kind,
    state: title,
    title: (
      <a
        href={`${path}/${id}`}
        id={`open-${id}`}
        data-peek={`?${peek}`}
        aria-current={query.get("flow") === id ? "true" : undefined}
      >
        <ShortName name={nameParties(flow)} />
      </a>
    ),
    note: (
      <>
        <b>{title}</b> {refusal?.description ?? request} {tagsOf(flow)}{" "}
        {timeTaken(endedAt - startedAt)}
      </>
    ),
    aside: <>{id} · {timeOf(startedAt, now)}</>,
  };
}

/** The row of several flows: those of a drill, or some that cannot be told apart. */
function rowOfGroup(group: readonly ListedFlow[], call: LabPageCall, now: number): ListRow {
  const [flow] = group as [ListedFlow];
  const { id, startedAt, drill } = flow;
  const { kind, title, refusal } = outcomeNow(flow, now);
  const isDrill = drill !== undefined;
  return {
    id: `row-${id}`,
    tone: isDrill ? "neutral" : kind,
    state: isDrill ? "Drill" : title,
    title: (
      <a href={`${call.base}/lab/flows?like=${id}`}>
        {isDrill ? nameOfDrill(call, drill) : <ShortName name={nameParties(flow)} />},{" "}
        {group.length} flows
      </a>
    ),
    note: isDrill ? call.additions("the verdict on a drill", String(drill)) : (
      <>
        <b>{inAll(title, refusal !== undefined)}</b> {refusal?.description} {tagsOf(flow)}
      </>
    ),
    aside: timeOf(startedAt, now),
  };
}

/** What a flow shows besides its outcome. */
function tagsOf({ refusals, faults }: ListedFlow): ComponentChildren {
  return (
    <>
      {refusals > 0 && <Tag tone="warn">{counted(refusals, "request")} refused</Tag>}
      {faults.map((fault) => <Tag tone="warn">{fault}</Tag>)}
    </>
  );
}

/** Says what became of each of several flows. */
function inAll(title: string, isRefused: boolean): string {
  return `all${isRefused ? "" : ":"} ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

/** An open page is not worth a word before a minute has passed. */
function outcomeNow({ outcome, endedAt }: ListedFlow, now: number): FlowOutcome {
  const { page } = outcome;
  if (page === undefined) return outcome;
  const isRunning = now - endedAt < minute * 1000;
  return { ...outcome, title: isRunning ? "Running" : `No response to the page “${page}” yet` };
}

/** Leaves out times below a millisecond. */
function timeTaken(took: number): string {
  if (took < 1) return "";
  return `· ${took < 1000 ? `${took} ms` : describeSpan(took)}`;
}

/** Returns a time to the second, with its day if that is not the present one. */
function timeOf(at: number, now: number): VNode {
  const instant = new Date(at).toISOString();
  const [date, today] = [instant, new Date(now).toISOString()].map((each) => each.slice(0, 10));
  const shown = date === today ? "" : `${date} `;
  return <time dateTime={instant} title={instant}>{shown}{instant.slice(11, 19)}</time>;
}

/** The row of the other requests of a drill, which the list of its flows shows one by one. */
function rowOfOthers(group: readonly Exchange[], call: LabPageCall, { flows }: FlowLists): ListRow {
  const [{ drill = 0 } = {}] = group;
  const name = <>{nameOfDrill(call, drill)}, {group.length} requests</>;
  const flow = flows.find((each) => each.drill === drill);
  return {
    tone: "neutral",
    state: "Drill",
    title: flow ? <a href={`${call.base}/lab/flows?like=${flow.id}`}>{name}</a> : name,
  };
}

function requestRow(exchange: Exchange, path: string, { issuer, clock }: CoreLab): ListRow {
  const { id, at, request, response } = exchange;
  const { title, note } = responseTitle(exchange, response && callbackIn(response, issuer));
  const description = refusalOf(exchange)?.description ?? note;
  return {
    tone: isFailedResponse(exchange) ? "bad" : "good",
    state: title,
    title: <a href={`${path}/request-${id}`}>{request.method} {request.path}</a>,
    note: (
      <>
        <b>{title}</b> {request.client !== undefined && <bdi>{request.client}</bdi>} {description}
      </>
    ),
    aside: timeOf(at, clock.now()),
  };
}
