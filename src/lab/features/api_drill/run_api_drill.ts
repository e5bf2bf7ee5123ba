import { nameOfApi } from "../../core/remarks.ts";
import type { Check } from "../../findings/finding.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { toCheck } from "../drill/check_verdict.ts";
import { checkDrillUrl, checkIsUrl, drillAccess } from "../drill/drill_access.ts";
import type { ApiCheck } from "./api_check.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";
import type { ApiDrill } from "./api_drill_tools.ts";
import { isAccepted } from "./call_api.ts";
import { apiChecks } from "./checks/checks.ts";
import { type ApiDrillParts, type DrilledApi, openApi } from "./drilled_api.ts";
import { apiResultOf } from "./sum_up_checks.ts";

/**
 * Calls an API with every token that it must refuse, or accept, and with those it may do either.
 */
export async function runApiDrill(parts: ApiDrillParts, drill: ApiDrill): Promise<ApiDrillResult> {
  const selected = selectChecks(drill.only);
  if (typeof drill.request === "string") checkTarget(parts, drill.request);
  const api = await openApi(parts, drill);
  const checks: Check[] = [];
  for (const check of selected) {
    const { findings, ...found } = await tryCheck(api, check);
    checks.push({ ...found, ...findings && { findings: parts.mark(findings) } });
    parts.onProgress(checks.length, selected.length);
  }
  const last = await api.send(await api.present(await api.mint(), "a valid token"));
  const { url } = api;
  if (isAccepted(last)) return apiResultOf({ ...drill, url }, checks, drill.only === undefined);
  throw new LabError(
    `${url} responds with status ${last.status} to a valid token after the drill, and did not ` +
      "before: it may have locked the client or the user out. The result proves nothing.",
  );
}

function selectChecks(only: readonly string[] | undefined): readonly ApiCheck[] {
  const ids = apiChecks.map(({ id }) => id);
  const unknown = only?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw unknownName("check of an API", unknown, ids);
  return apiChecks.filter(({ id }) => only?.includes(id) ?? true);
}

function checkTarget({ lab, origins }: ApiDrillParts, url: string): void {
  checkIsUrl(url, "request", "API");
  checkDrillUrl(drillAccess(lab.context, origins), url, "API");
}

async function tryCheck(api: DrilledApi, check: ApiCheck): Promise<Check> {
  const skipped = check.leftOut?.(api);
  const verdict = skipped === undefined ? await check.run(api) : { skipped };
  const { options: { method = "GET", client }, url } = api;
  const where = { api: nameOfApi(url, client), request: `${method} ${url}` };
  return toCheck(check, verdict, where);
}
