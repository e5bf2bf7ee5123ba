import type { CoreLab } from "../../core/core_lab.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { flowToHtml } from "./flow_file.ts";
import type { FlowFileTools } from "./flow_file_tools.ts";
import { htmlDownload } from "./html_download.ts";

const path = "/flows/:id/html";

/** The operation and the page that return a flow as a file. */
export const flowFileInterface: FeatureInterface<FlowFileTools> = {
  operations: [{
    method: "GET",
    path,
    summary: "Returns a flow as one HTML file, without secrets.",
    otherFormats: ["text/html"],
    async run(lab, { segment }) {
      const html = await lab.exportFlow(segment);
      return htmlDownload(html, requireFlowSource(lab, segment).id);
    },
  }],
  pages: [{
    method: "GET",
    path,
    async handle(lab: CoreLab, { segment }) {
      const source = requireFlowSource(lab, segment);
      return htmlDownload(await flowToHtml(lab, source), source.id);
    },
  }],
};
