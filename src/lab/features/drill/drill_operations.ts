import { jsonResponse, textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { lazyModule } from "../../../server/util/lazy_module.ts";
import { type CoreLab, ofTenant } from "../../core/core_lab.ts";
import { type Operation, operation, type OperationCall } from "../../core/operation.ts";
import { unknownName } from "../../util/lab_error.ts";
import { apiDrillCall } from "../api_drill/drill.ts";
import { callSchemas, type DrillCall } from "./calls.ts";
import type { DrillProgress } from "./drill_result.ts";
import { loadDrill } from "./drills.ts";
import type { DrillInternals, DrillTools } from "./feature.ts";
import type { DrillName } from "./select_tries.ts";

const { drillToJunit } = lazyModule(() => import("./drill_junit.ts"));

const accepted = 202;
const formatQuery = { format: "json (the default) or junit (JUnit XML)." };
const otherFormats = ["application/xml"];

/** What `POST /drill` may run in place of a login. */
interface OtherDrill {
  /** The member of the body that asks for it. */
  readonly member: string;
  /** The interface of the response. */
  readonly returns: string;
  readonly run: (lab: CoreLab, value: unknown, format: string) => Promise<unknown>;
}

const otherDrills: readonly OtherDrill[] = [
  apiDrillCall,
];

type DrillLab = CoreLab & DrillTools & DrillInternals;

export const drillOperations: ReadonlyArray<Operation<DrillTools & DrillInternals>> = [
  operation("POST /drill", {
    name: "start-drill",
    summary: "Drills the login of an application, or an API, with hostile and unusual variants.",
    query: formatQuery,
    body: { name: "DrillCall", schema: callSchemas.DrillCall },
    returns: ["DrillProgress", ...otherDrills.map(({ returns }) => returns)],
    statuses: [200, accepted],
    otherFormats,
    run: startDrill,
  }),
  operation("GET /drill", {
    name: "show-drill",
    summary: "Returns the progress of the current drill, or the result of the last one.",
    query: formatQuery,
    returns: "DrillProgress",
    otherFormats,
    run: showDrill,
  }),
  operation("DELETE /drill", {
    name: "stop-drill",
    summary: "Stops the current drill before its next login, and returns what it found.",
    returns: "DrillProgress",
    run(lab) {
      lab.stopDrill();
      return lab.drillProgress();
    },
  }),
];

/** Returns the progress of the current drill, or the result of the last one. */
export function showDrill(
  lab: DrillLab,
  { query }: Pick<OperationCall, "query">,
): Promise<DrillProgress | ResponseData> {
  return formatDrill(lab, readFormat(query));
}

/** Runs a drill, and responds when it ends; with `wait: false`, as soon as it has started. */
async function startDrill(around: DrillLab, { body, query }: OperationCall): Promise<unknown> {
  const format = readFormat(query);
  const other = otherDrills.find(({ member }) => body[member] !== undefined);
  if (other) return await other.run(around, body[other.member], format);
  const { only, wait = true, mcp = false, tenant, ...application } = body as unknown as DrillCall;
  await loadDrill();
  const lab = ofTenant(tenant, around, around.tenants);
  const before = lab.drillProgress();
  const run = mcp ? lab.drillMcp : lab.drill;
  const drill = run({ start: "", ...application }, only as DrillName[] | undefined);
  // A drill that cannot start rejects, and has no result.
  if (lab.drillProgress() === before) await drill;
  if (wait === false) {
    drill.catch(() => {});
    return jsonResponse(lab.drillProgress(), accepted);
  }
  if (format === "junit") {
    await drill.catch(() => {});
    return await formatDrill(lab, format);
  }
  await drill;
  return lab.drillProgress();
}

async function formatDrill(lab: DrillLab, format: string): Promise<DrillProgress | ResponseData> {
  if (format === "json") return lab.drillProgress();
  return textDownload(await drillToJunit(lab.drillProgress()), {
    contentType: "application/xml; charset=utf-8",
    fileName: "hallpass-drill.xml",
  });
}

function readFormat(query: URLSearchParams): string {
  const formats = ["json", "junit"];
  const format = query.get("format") ?? "json";
  if (!formats.includes(format)) throw unknownName("format of a drill", format, formats);
  return format;
}
