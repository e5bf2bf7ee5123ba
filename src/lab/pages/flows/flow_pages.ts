import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { flowListPage } from "./flow_list_page.tsx";
import { flowPage } from "./flow_page.tsx";

/** The pages of the flows, and their exports. */
export const flowPages: readonly LabPageRoute[] = [
  { method: "GET", path: "/flows", handle: flowListPage },
  { method: "GET", path: "/flows/:id", handle: flowPage },
  {
    method: "GET",
    path: "/flows/:id/mermaid",
    handle: (lab, { segment }) => textFile(toMermaid(storyOf(lab, segment)), `${segment}.mmd`),
  },
  {
    method: "GET",
    path: "/flows/:id/text",
    handle: (lab, { segment }) =>
      textFile(`${toTextDiagram(storyOf(lab, segment))}\n`, `${segment}.txt`),
  },
];

function storyOf(lab: CoreLab, id: string): FlowStory {
  const source = requireFlowSource(lab, id);
  return describeFlow(source, source.exchanges, lab.issuer);
}

function textFile(text: string, fileName: string): ResponseData {
  return textDownload(text, { contentType: "text/plain; charset=utf-8", fileName });
}
