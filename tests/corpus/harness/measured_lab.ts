import type { Finding } from "../../../src/lab/findings/finding.ts";

/** A lab that measures something, as a program in any language reaches it. */
export interface MeasuredLab extends AsyncDisposable {
  issuer: string;
  /** Sends a request to the lab, or to what it drills. */
  fetch(request: Request): Promise<Response>;
}

// deno-lint-ignore no-explicit-any
export type Json = Record<string, any>;

/** Calls an operation: "POST /drill". */
export async function call(lab: MeasuredLab, operation: string, body?: unknown): Promise<Json> {
  const [method = "", path = ""] = operation.split(" ");
  const headers = { "Content-Type": "application/json" };
  const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await lab.fetch(new Request(`${lab.issuer}/lab${path}`, { method, ...init }));
  return await response.json();
}

/** What a drill of an application needs to know. */
export interface DrilledUrls {
  start: string;
  check?: string | undefined;
  refresh?: string | undefined;
  logout?: string | undefined;
  user?: string | undefined;
}

/** What one drill said. */
export interface Drilled {
  /** What it was given. */
  urls: object;
  grade?: string | undefined;
  findings: Finding[];
  /** The ids of what it notes, and does not judge. */
  notes?: string[];
  /** Why it proves nothing. */
  problem?: string | undefined;
  seconds: number;
}

/** Drills an application, or with `api` an API. */
export async function drill(lab: MeasuredLab, urls: object): Promise<Drilled> {
  const started = performance.now();
  const result = await call(lab, "POST /drill", urls);
  const seconds = (performance.now() - started) / 1000;
  if (result.error !== undefined) {
    return { urls, findings: [], problem: result.error_description ?? result.error, seconds };
  }
  const { findings, verdict: { notes = [] } = result } = result;
  const ids = notes.map(({ id }: { id: string }) => id);
  return { urls, grade: await gradeIn(lab, result), findings, notes: ids, seconds };
}

async function gradeIn(lab: MeasuredLab, result: Json): Promise<string | undefined> {
  if (result.grade !== undefined) return result.grade;
  const { applications = [] } = await call(lab, "GET /report");
  return applications.at(-1)?.grade;
}

/** Returns what the page of the report says of what clients did without a drill. */
export async function reportedBy(lab: MeasuredLab): Promise<Finding[]> {
  // Tests of drills read this file without the report, which a project may have deleted.
  const { groupReport } = await import("../../../src/lab/features/report/group_report.ts");
  const report = await call(lab, "GET /report") as Parameters<typeof groupReport>[0];
  return groupReport(report).flatMap(({ groups }) => groups.map(([first]) => first));
}

/** Returns what the page of the drill has in its form. */
export async function prefilledUrls(lab: MeasuredLab): Promise<DrilledUrls | undefined> {
  const page = new Request(`${lab.issuer}/lab/drill`, { headers: { Accept: "text/html" } });
  const html = await (await lab.fetch(page)).text();
  const values = new Map<string, string>();
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1];
    const value = / value="([^"]*)"/.exec(tag)?.[1];
    if (name !== undefined && value) values.set(name, value.replaceAll("&amp;", "&"));
  }
  const start = values.get("start");
  if (start === undefined) return undefined;
  const [check, refresh, logout] = ["check", "refresh", "logout"].map((name) => values.get(name));
  return { start, check, refresh, logout };
}
