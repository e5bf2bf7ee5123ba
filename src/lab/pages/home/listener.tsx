/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { Comparison } from "../parts/tables.tsx";
import { Verdict } from "../parts/verdict.tsx";

/** Waits for requests of an application, and shows what became of the latest flow. */
export function listener(lab: CoreLab, call: LabPageCall): VNode {
  const flow = latestFlow(lab);
  if (!flow) {
    const { confined } = lab.settings.config();
    return (
      <Verdict
        id="listener"
        live
        tone="neutral"
        title={confined
          ? "Nothing has happened yet: start a flow below"
          : "Waiting for the first request of your application …"}
      >
        <p class="help">
          Each request appears here as it arrives, with anything that is wrong with it.
        </p>
      </Verdict>
    );
  }
  const exchanges = exchangesOfFlow(flow, lab.exchanges());
  const story = describeFlow(flow, exchanges, lab.issuer);
  const { refusal, kind, title } = story.outcome;
  const { done, button, isLikely = false, note } = call.offerFix(exchanges) ?? {};
  const requestTitle = refusal
    ? "A request was refused"
    : <bdi>{`${nameFlow(story)}: ${title}`}</bdi>;
  return (
    <Verdict
      id="listener"
      live
      tone={done ? "good" : kind}
      title={done?.title ?? requestTitle}
      actions={
        <>
          {isLikely && button}
          <a
            class={isLikely || done ? "button secondary" : "button"}
            id="latest-flow"
            href={`${call.base}/lab/flows/${flow.id}`}
          >
            See what happened
          </a>
          <a href={`${call.base}/lab/flows`}>All flows</a>
          {!isLikely && button}
        </>
      }
    >
      {done?.next}
      {refusal && !done && (
        <>
          <p>
            <bdi>{nameFlow(story)}</bdi>: <code>{refusal.error}</code>{" "}
            <bdi>{refusal.description}</bdi>
          </p>
          <Comparison {...refusal} />
          {note && <p>{note}</p>}
        </>
      )}
    </Verdict>
  );
}

/** Returns the latest flow that is recorded, and one of a drill only if there is no other. */
function latestFlow(lab: CoreLab): FlowTrace | undefined {
  const byId = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  const recorded = lab.flows().filter(({ steps }) => steps.some((each) => byId.has(each.exchange)));
  const isOfDrill = ({ steps }: FlowTrace) =>
    steps.some((each) => byId.get(each.exchange)?.drill !== undefined);
  return recorded.findLast((flow) => !isOfDrill(flow)) ?? recorded.at(-1);
}
