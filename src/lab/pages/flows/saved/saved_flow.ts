import type { CoreLab } from "../../../core/core_lab.ts";
import type { FlowSource } from "../../../flows/flow_source.ts";
import type { FlowArrow, FlowStory } from "../../../flows/flow_story.ts";
import type { LineageNode } from "../../../flows/lineage.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { arrowOfExchange } from "../choose_arrow.ts";
import { type ChosenStep, flowViewOf, stepViewOf } from "../flow_view.ts";

/** A flow as its file shows it: everything at once, and no secret. */
export interface SavedFlow {
  story: FlowStory;
  lineage: readonly LineageNode[];
  steps: readonly SavedStep[];
  issuer: string;
  /** When it was saved, in milliseconds of the lab's clock. */
  savedAt: number;
}

/** An exchange of the flow, with the numbers of its arrows. */
export interface SavedStep extends ChosenStep {
  numbers: readonly number[];
}

/** Gathers everything that the file of a flow shows. */
export async function savedFlowOf(lab: CoreLab, source: FlowSource): Promise<SavedFlow> {
  const { story, lineage } = await flowViewOf(lab, source, { withSecrets: false });
  const steps = await Promise.all(source.exchanges.map(stepOf));
  return {
    story,
    lineage,
    steps: steps.flat(),
    issuer: lab.issuer,
    savedAt: lab.clock.now(),
  };

  /** The diagram leaves out how a browser follows our own redirects, and so does the file. */
  async function stepOf({ id }: Exchange): Promise<SavedStep[]> {
    const arrows = story.arrows.filter(({ exchange }) => exchange === id);
    const arrow: FlowArrow | undefined = arrowOfExchange(story, id) ?? arrows[0];
    if (!arrow) return [];
    const step = await stepViewOf(lab, source, story, { arrow, withSecrets: false });
    return step ? [{ ...step, numbers: arrows.map((each) => each.step) }] : [];
  }
}
