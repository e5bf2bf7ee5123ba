/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type FlowStory, nameFlow } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { Empty } from "../parts/empty.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type FlowView, nameOfExchange } from "./flow_view.ts";
import { type ExchangeLinks, LineageTree } from "./lineage_tree.tsx";
import { OutcomeTag } from "./outcome_tag.tsx";
import { SecretsForm } from "./secrets_form.tsx";
import { SequenceDiagram, type SequenceDiagramProps } from "./sequence_diagram.tsx";
import { StepList } from "./step_list.tsx";
import { StepPanel } from "./step_panel.tsx";

interface FlowPageProps {
  call: LabPageCall;
  view: FlowView;
}

/** One flow: its diagram, the details of one arrow, and what was issued in it. */
export function FlowPage({ call, view }: FlowPageProps): VNode {
  const { story, chosen, lineage, withSecrets } = view;
  const here = `${call.base}/lab/flows/${story.id}`;
  const query = (choice: string) => `${here}?${choice}${withSecrets ? "&secrets=on" : ""}`;
  const diagram: SequenceDiagramProps = {
    story,
    chosenStep: chosen?.arrow.step,
    hrefOf: ({ step }) => query(`step=${step}`),
  };
  const links: ExchangeLinks = {
    hrefOf: (id) => query(`exchange=${id}`),
    nameOf: (id) => nameOfExchange(story, id),
  };
  return (
    <>
      <FlowHead story={story} here={here} step={chosen?.arrow.step} withSecrets={withSecrets} />
      <div class="flow">
        <Section title="What happened" id="diagram" live>
          {story.arrows.length > 0
            ? <Diagram {...diagram} />
            : <Empty title="The requests of this flow were deleted." />}
        </Section>
        {chosen && <StepPanel page={call} chosen={chosen} withSecrets={withSecrets} />}
        <div class="beside-step">
          {lineage.length > 0 && (
            <Section title="What was issued" id="lineage" live>
              <LineageTree nodes={lineage} links={links} />
            </Section>
          )}
          <Exports story={story} />
        </div>
      </div>
    </>
  );
}

function Diagram(props: SequenceDiagramProps): VNode {
  return (
    <>
      <div class="diagram">
        <SequenceDiagram {...props} />
      </div>
      <StepList {...props} hrefOf={(arrow) => `${props.hrefOf(arrow)}#step`} />
    </>
  );
}

/** The diagram as text, to paste into an issue or a wiki. */
function Exports({ story }: { story: FlowStory }): VNode {
  return (
    <Section title="Take it with you" id="exports" live>
      <details id="export-mermaid">
        <summary>As a Mermaid diagram</summary>
        <CodeBlock what="Mermaid diagram" text={toMermaid(story)} />
      </details>
      <details id="export-text">
        <summary>As text</summary>
        <pre class="code text-diagram" tabIndex={0} aria-label="Text diagram">
          <code data-copy="text diagram">{toTextDiagram(story)}</code>
        </pre>
      </details>
    </Section>
  );
}

interface FlowHeadProps {
  story: FlowStory;
  here: string;
  step: number | undefined;
  withSecrets: boolean;
}

function FlowHead({ story, here, step, withSecrets }: FlowHeadProps): VNode {
  const { id, user, outcome } = story;
  return (
    <div id="flow-head" data-live>
      <PageHead
        title={
          <>
            {nameFlow(story)} <OutcomeTag outcome={outcome} />
          </>
        }
        actions={
          <>
            <a class="button secondary small" href={`${here}/html`} download={`${id}.html`}>
              Save as HTML
            </a>
            <SecretsForm here={here} step={step} withSecrets={withSecrets} />
          </>
        }
      >
        {user === undefined ? "Since " : (
          <>
            With <bdi>{user}</bdi>, since{" "}
          </>
        )}
        {new Date(story.startedAt).toISOString().slice(0, 19).replace("T", " ")}
      </PageHead>
    </div>
  );
}
