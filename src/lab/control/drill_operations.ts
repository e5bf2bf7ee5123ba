import { jsonResponse, textDownload } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { DrillApplication } from "../drill/application_login.ts";
import { drillToJunit } from "../drill/drill_junit.ts";
import type { DrillProgress } from "../drill/drill_progress.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import type { Lab } from "./lab.ts";
import type { OperationCall } from "./operation.ts";

const accepted = 202;

/** Runs a drill, and responds at its end; with `wait: false`, at its begin. */
export async function startDrill(lab: Lab, { body, query }: OperationCall): Promise<unknown> {
  const format = readFormat(query);
  const { only, wait = true, ...application } = body;
  if (only !== undefined && !isListOfText(only)) throw new LabError("'only' must list faults.");
  const before = lab.drillProgress();
  const drill = lab.drill(application as unknown as DrillApplication, only as FaultName[]);
  // A drill that cannot begin rejects, and has no result.
  if (lab.drillProgress() === before) await drill;
  if (wait === false) {
    drill.catch(() => {});
    return jsonResponse(lab.drillProgress(), accepted);
  }
  if (format === "junit") {
    await drill.catch(() => {});
    return show(lab, format);
  }
  await drill;
  return lab.drillProgress();
}

/** Returns how far the present drill is, or how the last one ended. */
export function showDrill(
  lab: Lab,
  { query }: Pick<OperationCall, "query">,
): DrillProgress | ResponseData {
  return show(lab, readFormat(query));
}

function show(lab: Lab, format: string): DrillProgress | ResponseData {
  if (format === "json") return lab.drillProgress();
  return textDownload(drillToJunit(lab.drillProgress()), {
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

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
