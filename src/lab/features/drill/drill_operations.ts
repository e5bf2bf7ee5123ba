import { jsonResponse, textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation, OperationCall } from "../../core/operation.ts";
import { ofTenant } from "../../core/tenant_config.ts";
import type { Check, Finding } from "../../findings/finding.ts";
import { type CheckGroup, checksToJunit } from "../../findings/junit.ts";
import { unknownName } from "../../util/lab_error.ts";
import { apiDrillCall } from "../api_drill/drill.ts";
import { catalogue } from "../faults/catalogue.ts";
import { callSchemas, type DrillCall } from "./calls.ts";
import type { DrillProgress } from "./drill_result.ts";
import { loadDrill } from "./drills.ts";
import type { DrillInternals, DrillTools } from "./feature.ts";
import type { DrillName } from "./select_tries.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

const accepted = 202;
const formatQuery = { format: "json (the default) or junit (JUnit XML)." };
const otherFormats = ["application/xml"];

const notes: Readonly<Partial<Record<DrillOutcome["outcome"], string>>> = {
  refused: "Refused.",
  tolerated: "Tolerated: accepted, which no rule forbids.",
};

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
  {
    method: "POST",
    path: "/drill",
    summary: "Runs the login of an application once under each hostile or unusual variant, " +
      "or calls an API with hostile and unusual tokens.",
    query: formatQuery,
    body: { name: "DrillCall", schema: callSchemas.DrillCall },
    returns: ["DrillProgress", ...otherDrills.map(({ returns }) => returns)],
    statuses: [200, accepted],
    otherFormats,
    run: startDrill,
  },
  {
    method: "GET",
    path: "/drill",
    summary: "Returns the progress of the current drill, or the result of the last one.",
    query: formatQuery,
    returns: "DrillProgress",
    otherFormats,
    run: showDrill,
  },
  {
    method: "DELETE",
    path: "/drill",
    summary: "Stops the current drill before its next login, and returns what it found.",
    returns: "DrillProgress",
    run(lab) {
      lab.stopDrill();
      return lab.drillProgress();
    },
  },
];

/** Returns the progress of the current drill, or the result of the last one. */
export function showDrill(
  lab: DrillLab,
  { query }: Pick<OperationCall, "query">,
): DrillProgress | ResponseData {
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
    return formatDrill(lab, format);
  }
  await drill;
  return lab.drillProgress();
}

function formatDrill(lab: DrillLab, format: string): DrillProgress | ResponseData {
  if (format === "json") return lab.drillProgress();
  return textDownload(drillToJunit(lab.drillProgress()), {
    contentType: "application/xml; charset=utf-8",
    fileName: "hallpass-drill.xml",
  });
}

/** Formats a drill as JUnit XML: a test case for the login, and one for each variant. */
export function drillToJunit(progress: DrillProgress): string {
  return checksToJunit([checksOf(progress)]);
}

function readFormat(query: URLSearchParams): string {
  const formats = ["json", "junit"];
  const format = query.get("format") ?? "json";
  if (!formats.includes(format)) throw unknownName("format of a drill", format, formats);
  return format;
}

/** Returns the checks of a drill: of the login itself, of its session, and of each variant. */
function checksOf({ state, findings, outcomes, checks, problem }: DrillProgress): CheckGroup {
  const login: Check = {
    id: "login",
    title: "The login works without a fault",
    skipped: state === "none" ? "No drill has run yet." : undefined,
    findings: problem === undefined ? [] : [stopped(problem)],
  };
  return {
    name: "hallpass drill",
    checks: [login, ...checks, ...outcomes.map((outcome) => variantCheck(outcome, findings))],
  };
}

function stopped(problem: string): Finding {
  return { id: "drill-stopped", title: problem, level: "violation", where: {} };
}

function variantCheck(
  { fault: id, outcome, reason = "" }: DrillOutcome,
  findings: readonly Finding[],
): Check {
  const check = { id, title: catalogue.get(id)?.summary ?? "" };
  if (outcome === "unmet") return { ...check, skipped: reason };
  const note = notes[outcome];
  const found = findings.filter((each) => each.id === id);
  if (note === undefined || found.length > 0) return { ...check, findings: found };
  return { ...check, note: `${note} ${reason}`.trim() };
}
