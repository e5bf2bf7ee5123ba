/** @jsxImportSource preact */
import type { VNode } from "preact";
import flowStyle from "../../../../static/flows.css" with { type: "text" };
import labStyle from "../../../../static/lab.css" with { type: "text" };
import style from "../../../../static/style.css" with { type: "text" };
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { type FlowSource, requireFlowSource } from "../../flows/flow_source.ts";
import { type FlowStory, nameFlow, shortenPath } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import { checkList } from "../../pages/flows/check_list.tsx";
import {
  arrowOfExchange,
  lineageIn,
  nameOfExchange,
  stepViewOf,
} from "../../pages/flows/flow_view.ts";
import { lineageTree } from "../../pages/flows/lineage_tree.tsx";
import { pkceSteps } from "../../pages/flows/pkce_proof.tsx";
import { flowDiagram } from "../../pages/flows/sequence_diagram.tsx";
import {
  messagePanels,
  originNote,
  outcomeNotes,
  statusTag,
} from "../../pages/flows/step_panel.tsx";
import { CodeBlock } from "../../pages/parts/copy_text.tsx";
import { DecodedToken } from "../../pages/parts/decoded_token.tsx";
import { PageHead, Section } from "../../pages/parts/section.tsx";
import { OutcomeTag } from "../../pages/parts/tag.tsx";
import { LabError } from "../../util/lab_error.ts";
import { renderFile } from "./file_document.tsx";

/**
 * Returns a flow as one HTML file: its diagram, what was issued in it, and every step. It shows
 * everything at once, and no secret.
 */
export async function flowToHtml(lab: CoreLab, source: FlowSource): Promise<string> {
  const story = describeFlow(source, source.exchanges, lab.issuer);
  const hrefOf = (exchange: number) => `#${stepId(exchange)}`;
  const lineage = await lineageIn(lab, source.exchanges);
  const steps = source.exchanges.map(({ id }) => savedStep(lab, source, story, id));
  return await renderFile({
    title: `${nameFlow(story)}: ${story.outcome.title}`,
    styles: [style, labStyle, flowStyle],
    content: (
      <div class="saved">
        {headOf(lab, story)}
        <Section title="What happened" id="diagram">
          {flowDiagram({
            story,
            chosenStep: undefined,
            hrefOf: ({ exchange }) => hrefOf(exchange),
          })}
        </Section>
        {lineage.length > 0 && (
          <Section title="What was issued" id="lineage">
            {lineageTree(lineage, {
              hrefOf,
              nameOf: (exchange) => nameOfExchange(story, exchange),
            })}
          </Section>
        )}
        {await Promise.all(steps)}
      </div>
    ),
  });
}

/** Returns a flow by its id as one HTML file, or its diagram alone, for tests. */
export async function exportFlow(
  lab: CoreLab,
  id: string,
  form: "html" | "text" | "mermaid" = "html",
): Promise<string> {
  try {
    const source = requireFlowSource(lab, id);
    if (form === "html") return await flowToHtml(lab, source);
    const story = describeFlow(source, source.exchanges, lab.issuer);
    return form === "text" ? toTextDiagram(story) : toMermaid(story);
  } catch (cause) {
    throw cause instanceof OAuthError ? new LabError(cause.message, { cause }) : cause;
  }
}

function headOf({ issuer, clock }: CoreLab, story: FlowStory): VNode {
  const { outcome, startedAt } = story;
  return (
    <PageHead
      title={
        <>
          {nameFlow(story)} <OutcomeTag outcome={outcome} />
        </>
      }
    >
      At <code>{issuer}</code>, since {timeOf(startedAt)}; saved at{" "}
      {timeOf(clock.now())}. Secrets are left out.
    </PageHead>
  );
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}

function stepId(exchange: number): string {
  return `request-${exchange}`;
}

/**
 * Everything about one exchange, by its number. The diagram leaves out how a browser follows our own
 * redirects, and so does the file.
 */
async function savedStep(
  lab: CoreLab,
  source: FlowSource,
  story: FlowStory,
  number: number,
): Promise<VNode | undefined> {
  const arrows = story.arrows.filter(({ exchange }) => exchange === number);
  const arrow = arrowOfExchange(story, number) ?? arrows[0];
  const step = arrow && await stepViewOf(lab, source, story, arrow, false);
  if (!step) return undefined;
  const { exchange, details, refusal, checks, proof, tokens } = step;
  const { request } = exchange;
  const id = stepId(exchange.id);
  return (
    <Section
      id={id}
      title={
        <>
          <span class="muted">{namesOf(arrows.map((each) => each.step))}:</span> {request.method}
          {" "}
          {shortenPath(request.path)}
        </>
      }
      actions={statusTag(step)}
    >
      <p class="help">
        Request {exchange.id}, {new Date(exchange.at).toISOString().replace("T", " ")}
      </p>
      {originNote(step)}
      {outcomeNotes(step, { id: `${id}-refusal` })}
      {checkList(checks, "server", refusal)}
      {checkList(checks, "client")}
      {proof && pkceSteps(proof, false)}
      {messagePanels(step, `${id}-`)}
      {tokens.map(({ label, part, token }) => (
        <details class="token">
          <summary>
            <code>{label}</code> of the {part}
          </summary>
          <DecodedToken token={token} />
        </details>
      ))}
      <details class="curl">
        <summary>As a curl command</summary>
        <CodeBlock what={`curl command of request ${exchange.id}`} text={details.curl} />
      </details>
    </Section>
  );
}

/** Names the steps of the diagram that belong to an exchange: "Steps 3–5". */
function namesOf(numbers: readonly number[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `Step ${first}` : `Steps ${first}–${last}`;
}
