/** @jsxImportSource preact */
import type { VNode } from "preact";
import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { type FlowStory, nameFlow, nameParties } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { WithFix } from "../parts/fix.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Empty } from "../parts/tables.tsx";
import { Ago, OutcomeTag } from "../parts/tag.tsx";
import { flowListPage } from "./flow_list_page.tsx";
import { chooseArrow, lineageIn, nameOfExchange, stepViewOf } from "./flow_view.ts";
import { type ExchangeLinks, lineageTree } from "./lineage_tree.tsx";
import { SecretsForm } from "./message_panel.tsx";
import { RefusalBox } from "./refusal_box.tsx";
import { flowDiagram } from "./sequence_diagram.tsx";
import { stepPanel } from "./step_panel.tsx";

export const flowPages: readonly LabPageRoute[] = [
  pageAt("/flows", flowListPage),
  pageAt("/flows/:id", flowPage),
  pageAt(
    "/flows/:id/mermaid",
    (lab, { segment }) => textFile(toMermaid(storyOf(lab, segment)), `${segment}.mmd`),
  ),
  pageAt(
    "/flows/:id/text",
    (lab, { segment }) => textFile(`${toTextDiagram(storyOf(lab, segment))}\n`, `${segment}.txt`),
  ),
];

/** The page of one flow: its diagram, the details of one arrow, and what was issued in it. */
async function flowPage(lab: CoreLab, call: LabPageCall): Promise<LabPage> {
  const { base, query, segment } = call;
  const source = requireFlowSource(lab, segment);
  const story = describeFlow(source, source.exchanges, lab.issuer);
  const arrow = chooseArrow(story, source.exchanges, {
    step: numberIn(query, "step"),
    exchange: numberIn(query, "exchange") ?? source.named,
  });
  const withSecrets = query.get("secrets") === "on";
  const chosen = arrow && await stepViewOf(lab, source, story, arrow, withSecrets);
  const { refusal } = story.outcome;
  const fix = call.offerFix(source.exchanges);
  const lineage = await lineageIn(lab, source.exchanges);
  const here = `${base}/lab/flows/${story.id}`;
  const hrefOf = (choice: string) => `${here}?${choice}${withSecrets ? "&secrets=on" : ""}`;
  const links: ExchangeLinks = {
    hrefOf: (id) => hrefOf(`exchange=${id}`),
    nameOf: (id) => nameOfExchange(story, id),
  };
  return {
    title: `${nameFlow(story)}: ${story.outcome.title}`,
    area: "flows",
    style: "flows.css",
    isLive: true,
    content: (
      <>
        {flowHead(
          story,
          lab.clock.now(),
          here,
          <SecretsForm here={here} step={chosen?.arrow.step} withSecrets={withSecrets} />,
        )}
        {/* On a phone, the diagram and the list of steps would come before it. */}
        <div id="outcome" data-live>
          <WithFix fix={fix}>{refusal && <RefusalBox refusal={refusal} base={base} />}</WithFix>
        </div>
        <div class="flow">
          <Section title="What happened" id="diagram" live>
            {story.arrows.length > 0
              ? flowDiagram({
                story,
                chosenStep: chosen?.arrow.step,
                hrefOf: ({ step }) => hrefOf(`step=${step}`),
                details: "#step",
              })
              : <Empty title="The requests of this flow were deleted." />}
          </Section>
          {chosen && stepPanel(call, chosen, { withSecrets, above: refusal })}
          <div class="beside-step">
            {lineage.length > 0 && (
              <Section title="What was issued" id="lineage" live>
                {lineageTree(lineage, links)}
              </Section>
            )}
            {exportsOf(story)}
          </div>
        </div>
      </>
    ),
  };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The diagram as text, to paste into an issue or a wiki. */
function exportsOf(story: FlowStory): VNode {
  return (
    <Section title="Take it with you" id="exports" live>
      <details id="export-mermaid">
        <summary>As a Mermaid diagram</summary>
        <CodeBlock what="Mermaid diagram" text={toMermaid(story)} />
      </details>
      <details id="export-text">
        <summary>As text</summary>
        <CodeBlock what="text diagram" text={toTextDiagram(story)} look="text-diagram" />
      </details>
    </Section>
  );
}

function flowHead(story: FlowStory, now: number, here: string, secretsForm: VNode): VNode {
  const { id, startedAt, outcome } = story;
  return (
    <div id="flow-head" data-live>
      <PageHead
        title={
          <>
            <bdi title={nameParties(story)}>{nameFlow(story)}</bdi> <OutcomeTag outcome={outcome} />
          </>
        }
        actions={
          <>
            <a class="button secondary small" href={`${here}/html`} download={`${id}.html`}>
              Save as HTML
            </a>
            {secretsForm}
          </>
        }
      >
        <code>{id}</code>, <Ago at={startedAt} now={now} />
      </PageHead>
    </div>
  );
}

function storyOf(lab: CoreLab, id: string): FlowStory {
  const source = requireFlowSource(lab, id);
  return describeFlow(source, source.exchanges, lab.issuer);
}

function textFile(text: string, fileName: string): ResponseData {
  return textDownload(text, { contentType: "text/plain; charset=utf-8", fileName });
}
