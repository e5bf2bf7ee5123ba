import { printable } from "../../../server/util/text/printable.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { type FlowSource, requireFlowSource } from "../../flows/flow_source.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import type { ListedFlow } from "../../pages/flows/flow_filter.ts";
import { type Exchange, parameterOf } from "../../recording/exchange.ts";
import { isOfClient, isProvoked } from "../../recording/recorder.ts";
import { explainRefusal, type Refusal, refusalOf } from "../../recording/refusal.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import { type AgentResult, type AgentTool, entryOf } from "./agent_tool.ts";
import { callSchemas, type ExplainCall, type FlowsCall } from "./calls.ts";
import { explainRule } from "./explain_rule.ts";
import { fixForAgent } from "./fix_for_agent.ts";
import { adviseNextStep } from "./next_step.ts";
import { findLaterSuccess, listOwnFlows, listUnprovokedFlows } from "./own_flows.ts";

/** Refused requests that belong to no flow are listed above the flows. */
const maxOthers = 5;

/** A flow repeats most of its refusals. */
const maxRefused = 5;

export const flowTools: readonly AgentTool[] = [
  {
    name: "flows",
    description: "Lists the logins that reached the lab, the newest first, with what became of " +
      "each, apart from those of drills. Use it to see whether the application reached the lab, " +
      "and to find an id for explain.",
    body: { name: "FlowsCall", schema: callSchemas.FlowsCall },
    isReadOnly: true,
    run: (lab, args) => listFlows(lab, args),
  },
  {
    name: "explain",
    description: "Says why the lab refused a request: the rule, what was expected and received, " +
      "how to fix it, the section, and a diagram of the flow. Call it first, without arguments, " +
      "when a sign-in fails; with a flow of flows; or with the id of a rule or finding.",
    body: { name: "ExplainCall", schema: callSchemas.ExplainCall },
    isReadOnly: true,
    recovery: "Call flows to list the flows.",
    run: (lab, args) => explain(lab, args),
  },
];

function listFlows(lab: CoreLab, call: FlowsCall): AgentResult {
  const { client, refused = false } = call;
  const query = new URLSearchParams({ ...client && { client }, ...refused && { refused: "on" } });
  const { flows, others, allFlows, clients } = listOwnFlows(lab, query);
  const rows = [
    ...others.filter(refusalOf).slice(0, maxOthers).map(otherLine),
    ...flows.map((flow) => entryOf(lineOf(flow), textOf)),
  ];
  const seen = clients.map(([name]) => name);
  const nothing = allFlows === 0 ? describeSilence(lab) : describeNoMatch(lab, call, seen);
  return { rows: rows.length > 0 ? rows : [nothing], value: {}, list: "flows" };
}

/** Describes a flow in one line. */
function lineOf({ id, client, user, outcome, startedAt }: ListedFlow) {
  return {
    id,
    client,
    user,
    outcome: outcome.title,
    rule: outcome.refusal?.rule,
    startedAt: new Date(startedAt).toISOString(),
  };
}

function textOf(line: ReturnType<typeof lineOf>): string {
  const { id, startedAt, client, user, outcome, rule } = line;
  return printedLine([id, startedAt, client, user, outcome, rule]);
}

function otherLine(exchange: Exchange): string {
  const { method, path } = exchange.request;
  const { error, rule } = refusalOf(exchange) ?? {};
  const id = `request-${exchange.id}`;
  return printedLine([id, `${method} ${path}`, error, rule, "belongs to no flow"]);
}

/** Escapes line breaks: a client could forge a line that an agent would take for the lab's. */
function printedLine(values: ReadonlyArray<string | undefined>): string {
  return values.map((value) => printable(value ?? "")).filter(Boolean).join("  ");
}

function describeSilence({ issuer, exchanges }: CoreLab): string {
  const last = exchanges().findLast(isOfClient)?.request;
  const silence = `No flow has reached the lab at ${issuer}`;
  if (last === undefined) {
    return `${silence}. Is the application configured with this issuer? connect_app has the lines.`;
  }
  const came = printable(`${last.method} ${last.path}`);
  return `${silence}, but ${came} did: the application knows this issuer, so start its login.`;
}

/** Says why a filter left no flow, though there are some. */
function describeNoMatch(
  lab: CoreLab,
  { client, refused }: FlowsCall,
  seen: readonly string[],
): string {
  const known = [...new Set([...lab.clients.list().map(({ id }) => id), ...seen])];
  if (client !== undefined && !known.includes(client)) {
    const names = known.map(printable).join(", ");
    return `There is no client '${printable(client)}'. Clients: ${names}.`;
  }
  const whose = client === undefined ? "" : ` of ${printable(client)}`;
  if (refused) return `The lab refused no request${whose}.`;
  const others = client === undefined || seen.includes(client)
    ? "those of drills"
    : `flows of: ${seen.map(printable).join(", ")}`;
  return `No flow${whose} has reached the lab, but ${others}.`;
}

async function explain(lab: CoreLab, { flow, rule, client }: ExplainCall): Promise<AgentResult> {
  if (rule !== undefined) return await explainRule(rule);
  const source = flow === undefined ? latestSource(lab, client) : requireFlowSource(lab, flow);
  if (!source) {
    const silence = client === undefined
      ? describeSilence(lab)
      : describeNoMatch(lab, { client }, listOwnFlows(lab).clients.map(([name]) => name));
    return { rows: [silence], value: { about: lab.issuer, outcome: silence } };
  }
  const story = describeFlow(source, source.exchanges, lab.issuer);
  const refused = source.exchanges.flatMap((each) => explainRequest(lab, each)).slice(-maxRefused);
  const faults = [...new Set(source.exchanges.flatMap((each) => each.faults))];
  const { outcome } = story;
  const value = { about: source.id, outcome: outcome.title };
  const unrefused = [
    `The lab refused no request of ${source.id}. It ended with: ${outcome.title}.`,
    adviseNextStep(source.exchanges, lab.issuer),
  ];
  const rows = [
    ...flow === undefined ? whatCameSince(lab, source) : [],
    ...refused.map((each) => entryOf(each, requestLines)),
    ...refused.length === 0 ? [unrefused.filter(Boolean).join(" ")] : [],
    ...faults.length > 0 ? [`Faults fired: ${faults.join(", ")}. break with off ends them.`] : [],
    "",
    toTextDiagram(story),
  ];
  return { rows, value, list: "refused" };
}

/** Returns the flow of the last refused request, or else the last flow that no drill changed. */
function latestSource(lab: CoreLab, client: string | undefined): FlowSource | undefined {
  const isWanted = (each: Exchange) => client === undefined || nameOfClient(each) === client;
  const refused = lab.exchanges()
    .filter((each) => isOfClient(each) && !isProvoked(each) && isWanted(each))
    .findLast(refusalOf);
  const query = new URLSearchParams({ ...client && { client } });
  const id = refused ? `request-${refused.id}` : listUnprovokedFlows(lab, query)[0]?.id;
  return id === undefined ? undefined : requireFlowSource(lab, id);
}

/** Says that the client of a refused flow got tokens later: what was refused may be fixed. */
function whatCameSince(lab: CoreLab, source: FlowSource): string[] {
  const refused = source.exchanges.findLast(refusalOf);
  const client = nameOfClient(source);
  if (!refused || client === undefined) return [];
  const later = findLaterSuccess(lab, client, refused.id);
  if (!later) return [];
  const [refusal, success] = [refused.at, later.endedAt].map((at) => new Date(at).toISOString());
  return [
    `This refusal is the last one, of ${refusal}. It may be fixed: a later login of ` +
    `${printable(client)} succeeded (${later.id}, ${success}).`,
  ];
}

/** A request that the lab refused, with what to do. */
interface ExplainedRequest extends Refusal {
  request: string;
  id: number;
}

function explainRequest(lab: CoreLab, exchange: Exchange): ExplainedRequest[] {
  const refusal = refusalOf(exchange);
  const { id, request: { method, path } } = exchange;
  if (!refusal) return [];
  const fix = fixForAgent(refusal.rule, refusal.fix);
  const expected = withChallenger(lab, refusal.expected);
  const received = withChallenger(lab, refusal.received);
  return [{ ...refusal, expected, received, fix, request: `${method} ${path}`, id }];
}

/** Names the request that sent a challenge: several logins of an application may be mixed up. */
function withChallenger(lab: CoreLab, text?: string): string | undefined {
  if (!text?.startsWith("the SHA-256 ")) return text;
  const challenger = lab.exchanges().findLast(({ request }) =>
    text === `the SHA-256 ${parameterOf(request, "code_challenge")}`
  );
  return `${text}, the code_challenge of ${challenger ? `request-${challenger.id}` : "no request"}`;
}

function requestLines(refused: ExplainedRequest): string {
  const { id, request } = refused;
  return [`request-${id}, ${request}`, ...explainRefusal(refused)].map(printable).join("\n  ");
}
