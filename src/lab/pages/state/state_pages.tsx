/** @jsxImportSource preact */
import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { Lab } from "../../control/lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import { savedConfiguration } from "./saved_configuration.ts";
import { StateView } from "./state_view.tsx";

const fileName = "hallpass.json";

/** The page on which a lab is saved and brought back, with its forms and its download. */
export const statePages: readonly LabPageRoute[] = [
  { method: "GET", path: "/state", handle: statePage },
  {
    method: "GET",
    path: "/state/configuration",
    handle: (lab) =>
      textDownload(savedConfiguration(lab), { contentType: "application/json", fileName }),
  },
  {
    method: "POST",
    path: "/state/snapshot",
    async handle(lab, call) {
      await lab.snapshot();
      return seePage(call, "/state");
    },
  },
  { method: "POST", path: "/state/restore", handle: restore },
  {
    method: "POST",
    path: "/state/reset",
    async handle(lab, call) {
      await lab.reset();
      return seePage(call, "/state");
    },
  },
];

function statePage(lab: Lab, call: LabPageCall): LabPage {
  return {
    title: "Snapshots and configuration",
    isLive: true,
    content: <StateView page={call} snapshots={lab.snapshots()} fileName={fileName} />,
  };
}

async function restore(lab: Lab, call: LabPageCall): Promise<ResponseData> {
  await lab.restore(call.form.get("snapshot") ?? "");
  return seePage(call, "/state");
}
