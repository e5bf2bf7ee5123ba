import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { drilledIn, type DrilledSubject, findingsOfDrills } from "../../core/remarks.ts";
import {
  type Check,
  drilledAt,
  type Finding,
  isFailure,
  isRefused,
} from "../../findings/finding.ts";
import { gradesOf } from "../../findings/grade.ts";
import { type CheckGroup, checksToJunit, untestedChecks } from "../../findings/junit.ts";
import { isSameClient, nameOfClient, type TenantClient } from "../../recording/tenant_client.ts";
import { unknownName } from "../../util/lab_error.ts";
import { groupBy } from "../../util/lists.ts";
import { textResponse } from "../../util/text_response.ts";
import type { CleanOptions } from "./calls.ts";
import { reportOfClient } from "./failures.ts";
import type { ReportTools } from "./feature.ts";
import { notReached, type Report, reportChecks } from "./report.ts";
import { reportToText } from "./report_text.ts";
import { findingsToSarif } from "./sarif.ts";

const noClient = "requests that name no client";

/** A lab that no client talked to has tested nothing, which must not look like a success. */
const notReachedFinding: Finding = {
  id: "not-reached",
  title: notReached,
  grade: "D",
  kind: "interoperability",
  fix: "Configure the application with the issuer of the lab, and run its tests.",
  where: {},
};

const silent: CheckGroup = {
  name: "hallpass",
  checks: [{
    id: "reached",
    title: "A client sends a request to the lab.",
    problem: notReached,
  }],
};

type ReportedLab = CoreLab & ReportTools;

const formats: Readonly<
  Record<string, (report: Report, query: URLSearchParams, lab: ReportedLab) => ResponseData>
> = {
  text: (report) => textResponse(reportToText(report)),
  junit(report, query) {
    const options = { refused: query.get("refused") === "true" };
    return textDownload(
      reportToJunit(report, options),
      {
        contentType: "application/xml; charset=utf-8",
        fileName: "hallpass-report.xml",
      },
    );
  },
  sarif(report, _query, lab) {
    const { reached, findings, refused, earlier } = report;
    const silence = reached ? [] : [notReachedFinding];
    const all = [...findings, ...refused, ...findingsOfDrills(report), ...earlier, ...silence];
    const drillRules = new Map(all.filter(drilledAt).map((each) => [each.id, each]));
    const ofClients = reportChecks.map((check) => ({ ...check, grade: gradesOf(check)[0] }));
    const known = [...ofClients, ...drillRules.values(), notReachedFinding];
    const log = findingsToSarif(all, known, lab.requests());
    return textDownload(JSON.stringify(log, undefined, 2), {
      contentType: "application/sarif+json",
      fileName: "hallpass-report.sarif",
    });
  },
};

/** Returns the report that a request asks for: of all clients, or of the one that it names. */
export function requestedReport(lab: ReportedLab, query: URLSearchParams): Report {
  const client = query.get("client");
  return client ? reportOfClient(lab.report(), client) : lab.report();
}

/** Returns the report in the format that a request asks for; undefined if it names none. */
export function formattedReport(
  lab: ReportedLab,
  query: URLSearchParams,
): ResponseData | undefined {
  const name = query.get("format");
  if (name === null || name === "json") return undefined;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw unknownName("format of the report", name, ["json", ...Object.keys(formats)]);
  return format(requestedReport(lab, query), query, lab);
}

/** Formats a report as JUnit XML, in which fails what `assertClean` with the options fails for. */
export function reportToJunit(report: Report, options: CleanOptions): string {
  return checksToJunit(checksOf(report), (each) => isFailure(each, options));
}

/**
 * Returns a group of checks for each client, and one for each drill. There is always
 * a group: many tools treat JUnit XML without tests as a failure.
 */
function checksOf(report: Report): CheckGroup[] {
  if (!report.reached) return [silent];
  const earlier = report.earlier.filter(drilledAt);
  const found = [...findingsOfDrills(report), ...earlier];
  const names = [
    ...drilledIn(report).map(titleOf),
    ...earlier.map((each) =>
      titleOf({ kind: each.where.api ? "API" : "Application", name: drilledAt(each) ?? "" })
    ),
  ];
  const untestedIn = (name: string) =>
    drilledIn(report).filter((each) => titleOf(each) === name).flatMap(untestedChecks);
  const groups = [...new Set(names)].map((name) => {
    const { checks } = drillGroup(name, found);
    return { name, checks: [...checks, ...untestedIn(name)] };
  });
  // Of a clean drill at a closed tenant, only the fact is known: the rules for clients fill in.
  if (report.requests === 0 && groups.length > 0) return groups;
  return [...clientGroups(report), ...groups];
}

function titleOf({ kind, name }: Pick<DrilledSubject, "kind" | "name">): string {
  return `${kind} ${name}`;
}

function drillGroup(name: string, all: readonly Finding[]): CheckGroup {
  const [kind = ""] = name.split(" ");
  const passed: Check = { id: kind.toLowerCase(), title: `The ${kind} breaks no rule.` };
  const found = all.filter((each) => name === `${kind} ${drilledAt(each)}`)
    .map((each): Check => ({ ...each, findings: [each] }));
  return { name, checks: found.length > 0 ? found : [passed] };
}

/** A client has a check for each rule, and one for refused requests. */
function clientGroups({ clients, findings, refused, earlier }: Report): CheckGroup[] {
  const all = [...findings, ...refused, ...earlier].filter((each) => !drilledAt(each));
  const others = all.filter(({ where }) => !clients.some((client) => isSameClient(client, where)));
  const about: TenantClient[] = [
    ...clients,
    ...groupBy(others, ({ where }) => nameOfClient({ client: noClient, ...where }) ?? "")
      .map(([{ where: { client, tenant } }]) => ({ client, tenant })),
  ];
  return (about.length > 0 ? about : [{}]).map((each) => ({
    name: nameOfClient({ client: noClient, ...each }) ?? "",
    checks: checksIn(all.filter(({ where }) => isSameClient(where, each))),
  }));
}

function checksIn(findings: readonly Finding[]): Check[] {
  const refused = findings.filter(isRefused);
  return [
    // The title of a rule names the mistake, which a test that passes must not.
    ...reportChecks.map(({ id, see }) => ({
      id,
      title: see,
      findings: findings.filter((each) => each.id === id),
    })),
    { id: "refused-request", title: "The server accepts each request.", findings: refused },
  ];
}
