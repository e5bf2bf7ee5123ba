import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { requireExchange, sendAgain } from "../../client_role/replay/replay_request.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { flowPath, requireFlowSource } from "../../flows/flow_source.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { toTextDiagram } from "../../flows/text_diagram.ts";
import { readRequestNumber } from "../../util/request_number.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import { flowListPage } from "./flow_list_page.tsx";
import { flowPage } from "./flow_page.tsx";

/** The pages of the flows, their exports, and the form that sends a request again. */
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
  {
    method: "POST",
    path: "/exchanges/:id/replay",
    async handle(lab, call) {
      const exchange = requireExchange(lab, readRequestNumber(call.segment));
      const { id } = await sendAgain(lab, exchange, { now: true });
      return seePage(call, flowPath(lab, id));
    },
  },
];

function storyOf(lab: CoreLab, id: string): FlowStory {
  const source = requireFlowSource(lab, id);
  return describeFlow(source, source.exchanges, lab.issuer);
}

function textFile(text: string, fileName: string): ResponseData {
  return textDownload(text, { contentType: "text/plain; charset=utf-8", fileName });
}
