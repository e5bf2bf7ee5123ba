import flowStyle from "../../../../static/flows.css" with { type: "text" };
import labStyle from "../../../../static/lab.css" with { type: "text" };
import style from "../../../../static/style.css" with { type: "text" };
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { type FlowSource, requireFlowSource } from "../../flows/flow_source.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { renderFile } from "../../pages/parts/file_document.tsx";
import { LabError } from "../../util/lab_error.ts";
import { savedFlow } from "./saved_flow.tsx";

/** Returns a flow as one HTML file, without secrets. */
export async function flowToHtml(lab: CoreLab, source: FlowSource): Promise<string> {
  const story = describeFlow(source, source.exchanges, lab.issuer);
  return await renderFile({
    title: `${nameFlow(story)}: ${story.outcome.title}`,
    styles: [style, labStyle, flowStyle],
    content: await savedFlow(lab, source, story),
  });
}

/** Returns a flow by its id as one HTML file, for tests. */
export async function exportFlow(lab: CoreLab, id: string): Promise<string> {
  try {
    return await flowToHtml(lab, requireFlowSource(lab, id));
  } catch (cause) {
    throw cause instanceof OAuthError ? new LabError(cause.message, { cause }) : cause;
  }
}
