import type { Exchange } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import { describeFlow, exchangesOfFlow } from "./describe_flow.ts";
import { toTextDiagram } from "./text_diagram.ts";

/** A message with more diagrams than this would bury what it says. */
const maxDiagrams = 3;

/** The flows of a lab, and their requests. */
export interface RecordedFlows {
  issuer: string;
  exchanges: readonly Exchange[];
  flows: readonly FlowTrace[];
}

/** Draws the flows that some exchanges belong to, each once, for the message of a failed test. */
export function drawFlowsOf(ids: readonly number[], recorded: RecordedFlows): string {
  const found = recorded.flows.filter(({ steps }) =>
    steps.some(({ exchange }) => ids.includes(exchange))
  );
  const diagrams = found.slice(0, maxDiagrams).map((flow) => drawFlow(flow, recorded));
  const rest = found.length - diagrams.length;
  return [...diagrams, ...rest > 0 ? [`… and ${rest} more flows`] : []].join("\n\n");
}

/** Draws the flow that an authorization URL began most recently, or returns undefined. */
export function drawFlowOfUrl(url: string, recorded: RecordedFlows): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { href } = new URL(url);
  const first = recorded.exchanges.findLast(({ request }) => request.url === href);
  const flow = recorded.flows.find(({ steps }) =>
    steps.some(({ exchange }) => exchange === first?.id)
  );
  return flow && drawFlow(flow, recorded);
}

function drawFlow(flow: FlowTrace, { exchanges, issuer }: RecordedFlows): string {
  return toTextDiagram(describeFlow(flow, exchangesOfFlow(flow, exchanges), issuer));
}
