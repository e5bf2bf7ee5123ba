import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { operation } from "../../core/operation.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { LabPageRoute } from "../../pages/page/lab_page.ts";
import type { FlowFileTools } from "./feature.ts";

const path = "/flows/:id/html";

const page: LabPageRoute = {
  method: "GET",
  path,
  async handle(lab: CoreLab, { segment }) {
    const source = requireFlowSource(lab, segment);
    const { flowToHtml } = await import("./flow_file.tsx");
    return htmlDownload(await flowToHtml(lab, source), source.id);
  },
};

/** The operation and the page that return a flow as a file. */
export const flowFileInterface: FeatureInterface<FlowFileTools> = {
  operations: [operation(`GET ${path}`, {
    name: "export-flow",
    example: { segment: "flow-1" },
    summary: "Returns a flow as one HTML file, without secrets.",
    otherFormats: ["text/html"],
    async run(lab, { segment }) {
      const html = await lab.exportFlow(segment);
      return htmlDownload(html, requireFlowSource(lab, segment).id);
    },
  })],
  pages: { below: ["flows"], load: async () => [page] },
};

/** Responds with the file of a flow, which a browser saves. */
function htmlDownload(html: string, flow: string): ResponseData {
  return textDownload(html, {
    contentType: "text/html; charset=utf-8",
    fileName: `${flow}.html`,
  });
}
