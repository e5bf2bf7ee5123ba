import { isResponseData, type ResponseData } from "../../../server/http/response_data.ts";
import { showDrill } from "../../control/drill_operations.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { ofTenant } from "../../core/tenant_option.ts";
import type { DrillInternals, DrillTools } from "../../drill/drill_tools.ts";
import { loadDrill } from "../../drill/load_drill.ts";
import { mcpVariantsFor } from "../../drill/mcp_variants.ts";
import { drillVariants } from "../../drill/variants.ts";
import type { LabMcpInternals } from "../../mcp/lab_mcp_tools.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import { DrillPage } from "./drill_page.tsx";

type DrillPageLab = CoreLab & DrillTools & DrillInternals & LabMcpInternals;

/** The page of the drill, and the form that starts one. */
export const drillPages: ReadonlyArray<LabPageRoute<DrillPageLab>> = [
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

function drillPage(lab: DrillPageLab, call: LabPageCall): LabPage {
  const tenants = lab.tenants.ids();
  const labs = [lab, ...tenants.map(lab.tenants.find)];
  const progress = lab.drillProgress();
  return {
    title: "Drill",
    area: "drill",
    style: "report.css",
    isLive: true,
    content: DrillPage({
      page: call,
      progress,
      variants: progress.mcp ? mcpVariantsFor(lab.clients.list()) : drillVariants,
      users: [...new Set(labs.flatMap(({ users }) => users.list().map(({ name }) => name)))],
      tenants,
      hasMcp: labs.some((each) => each.mcpPlace().url !== undefined),
    }),
  };
}

/**
 * Starts a drill, and shows how it goes on: on the page of the tenant, if it is one's. Its page names
 * the problem if it cannot begin.
 */
async function startFromForm(around: DrillPageLab, call: LabPageCall): Promise<ResponseData> {
  const field = (name: string) => call.form.get(name)?.trim() || undefined;
  const tenant = field("tenant");
  const lab = ofTenant(tenant, around, around.tenants);
  const base = tenant === undefined ? call.base : `${call.base}/t/${tenant}`;
  await loadDrill();
  const before = lab.drillProgress();
  const run = field("mcp") === undefined ? lab.drill : lab.drillMcp;
  const drill = run({
    start: field("start") ?? "",
    check: field("check"),
    refresh: field("refresh"),
    logout: field("logout"),
    user: field("user"),
  });
  if (lab.drillProgress() === before) await drill;
  drill.catch(() => {});
  return seePage({ ...call, base }, "/drill");
}
