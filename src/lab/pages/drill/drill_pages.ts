import { isResponseData, type ResponseData } from "../../../server/http/response_data.ts";
import { showDrill } from "../../control/drill_operations.ts";
import type { Lab } from "../../control/lab.ts";
import { loadDrill } from "../../drill/load_drill.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import { DrillPage } from "./drill_page.tsx";

/** The page of the drill, and the form that starts one. */
export const drillPages: readonly LabPageRoute[] = [
  {
    method: "GET",
    path: "/drill",
    handle: (lab, call) => {
      const shown = call.query.has("format") ? showDrill(lab, call) : undefined;
      return isResponseData(shown) ? shown : drillPage(lab, call);
    },
  },
  { method: "POST", path: "/drill/start", handle: startFromForm },
];

function drillPage(lab: Lab, call: LabPageCall): LabPage {
  return {
    title: "Drill",
    area: "drill",
    style: "report.css",
    isLive: true,
    content: DrillPage({
      page: call,
      progress: lab.drillProgress(),
      users: lab.users.list().map(({ name }) => name),
    }),
  };
}

/** Starts a drill, and shows how it goes on. Its page names the problem if it cannot begin. */
async function startFromForm(lab: Lab, call: LabPageCall): Promise<ResponseData> {
  const field = (name: string) => call.form.get(name)?.trim() || undefined;
  await loadDrill();
  const before = lab.drillProgress();
  const drill = lab.drill({
    start: field("start") ?? "",
    check: field("check"),
    refresh: field("refresh"),
    logout: field("logout"),
    user: field("user"),
  });
  if (lab.drillProgress() === before) await drill;
  drill.catch(() => {});
  return seePage(call, "/drill");
}
