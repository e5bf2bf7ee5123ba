/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { findingsOfApis, type ValueUse } from "../../../core/remarks.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
} from "../../../pages/page/lab_page.ts";
import type { Choice } from "../../../pages/parts/fields.tsx";
import { fewFindings } from "../../../pages/parts/finding_entry.tsx";
import { LabForm } from "../../../pages/parts/form.tsx";
import { FilterForm } from "../../../pages/parts/long_list.tsx";
import { NoClientYet } from "../../../pages/parts/no_client_yet.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { nameOfClient } from "../../../recording/tenant_client.ts";
import type { ReportInternals, ReportTools } from "../feature.ts";
import { type ClientReport, findingsIn, groupFindings, groupReport } from "../group_report.ts";
import type { Reported } from "../refused_requests.ts";
import type { Report } from "../report.ts";
import { formattedReport } from "../report_formats.ts";
import { ApiGrades, ClientGrades, GradeKey, GradeMark } from "./client_grades.tsx";
import {
  filterFindings,
  groupEntry,
  isShown,
  requestsOf,
  type ShowRequest,
} from "./finding_groups.tsx";

/** The page of the report, and the form that begins it anew; programs get it in JSON. */
export const reportPages: ReadonlyArray<LabPageRoute<ReportTools & ReportInternals>> = [
  {
    method: "GET",
    path: "/report",
    handle: (lab, call) => formattedReport(lab, call.query) ?? reportPage(lab, call),
  },
  {
    method: "POST",
    path: "/report/clear",
    handle(lab, call) {
      lab.restartReport();
      return seePage(call, "/report");
    },
  },
];

/** A grade for each client, and the reasons: violations, refused requests, advice. */
function reportPage(lab: CoreLab & ReportTools, call: LabPageCall): LabPage {
  const report = lab.report();
  const show = requestsOf(lab, call);
  const clients = groupReport(report);
  const { refusedByFault, earlier, idleFaults, leniencies, chosenValues } = report;
  return {
    title: "Report",
    area: "report",
    style: "report.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Report" actions={reportActions(call)}>
          What your clients and APIs did wrong, what this lab refused, and what to do about it.
        </PageHead>
        {report.requests > 0 && reportFilter(report, call)}
        <div id="report" data-live>
          {report.apis.length > 0 && <ApiGrades apis={report.apis} base={call.base} />}
          {clients.length > 0 ? clientReports(report, clients, call, show) : (
            <NoClientYet
              lab={lab}
              homeUrl={call.homeUrl}
              title={report.problem ?? "No request has named a client yet"}
            />
          )}
          {findings("refused-by-fault", "Refused because of a fault", refusedByFault, {
            help: "The test caused these. They count against no client.",
            show,
          })}
          {findings("earlier", "Found earlier", earlier, {
            help:
              "A reset, newer requests or the closing of a tenant removed what these are about. " +
              "Until you start over, they fail hallpass exec.",
            show,
          })}
          {names("idle-faults", "Faults that never fired", "They tested nothing.", idleFaults)}
          {names(
            "leniencies",
            "Leniencies of this lab",
            "With these settings, the lab accepts what a strict server refuses.",
            leniencies,
          )}
          {names(
            "chosen-values",
            "Chosen values",
            "The test chose these values. Those of a server are random.",
            chosenValues.map(describeUse),
          )}
        </div>
      </>
    ),
  };
}

function describeUse({ kind, times, ...about }: ValueUse): string {
  const name = nameOfClient(about);
  const owner = name === undefined ? "" : ` for ${name}`;
  return `${kind}${owner}: ${counted(times, "time")}`;
}

function reportActions(call: LabPageCall): VNode {
  const href = `${call.base}/lab/report?format=`;
  return (
    <>
      {call.additions("actions on the report")}
      <a class="button secondary small" href={`${href}junit`}>JUnit XML</a>
      <a class="button secondary small" href={`${href}sarif`}>SARIF</a>
      <LabForm page={call} action="/report/clear">
        <button type="submit" class="secondary small">Start over</button>
      </LabForm>
    </>
  );
}

const kinds: readonly Choice[] = [
  ["violation", "Violations"],
  ["refused", "Refused requests"],
  ["advice", "Advice"],
];

function reportFilter(report: Report, { base, query }: LabPageCall): VNode {
  const clients = report.clients.map(nameOfClient).map((name = ""): Choice => [name, name]);
  return (
    <FilterForm
      action={`${base}/lab/report`}
      label="Find a finding"
      hint="rule, parameter, error"
      query={query}
      fields={[
        { name: "client", label: "Client", choices: [["", "every client"], ...clients] },
        { name: "kind", label: "Kind", choices: [["", "every kind"], ...kinds] },
      ]}
    />
  );
}

function clientReports(
  report: Report,
  clients: readonly ClientReport[],
  { query, additions }: LabPageCall,
  show: ShowRequest,
): VNode {
  const hints = additions("a client without findings");
  const shown = clients.map((client, index) => ({ client: filterFindings(client, query), index }))
    .filter(({ client }) => isShown(client, query));
  const found = findingsIn(shown.map(({ client }) => client));
  const all = findingsIn(clients);
  // The filter is about clients.
  const total = counted(all + findingsOfApis(report.apis).length, "finding");
  return (
    <>
      {report.clients.length > 0 && <ClientGrades clients={report.clients} />}
      {/* The number that the top bar has, too. */}
      <p class="finding-count">{found === all ? total : `${found} of ${total}`}</p>
      <GradeKey />
      {shown.length === 0 && <Empty title="Nothing matches the filter" />}
      {shown.map(({ client, index }) =>
        clientReport(client, {
          id: `client-${index + 1}`,
          isOpen: found <= fewFindings,
          show,
          hints,
        })
      )}
    </>
  );
}

interface ClientLook {
  id: string;
  /** Whether the findings are shown whole. */
  isOpen: boolean;
  show: ShowRequest;
  hints: readonly VNode[];
}

function clientReport(
  { grade, groups }: ClientReport,
  { id, isOpen, show, hints }: ClientLook,
): VNode {
  return (
    <Section
      id={id}
      title={grade ? <bdi>{nameOfClient(grade)}</bdi> : "Requests that name no client"}
      actions={grade && <GradeMark grade={grade.grade} />}
    >
      {groups.length === 0 && (
        <p>
          No violations, and the lab refused nothing. {hints}
        </p>
      )}
      {groups.map((group, at) => {
        const [{ level }] = group;
        const first = groups.findIndex(([each]) => each.level === level);
        return groupEntry(group, { id: `${id}-${level}-${at - first + 1}`, isOpen, show });
      })}
    </Section>
  );
}

function findings(
  id: string,
  title: string,
  list: readonly Reported[],
  { help, show }: { help: string; show: ShowRequest },
): VNode | null {
  if (list.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <p class="help">{help}</p>
      {groupFindings(list).map((group, at) =>
        groupEntry(group, { id: `${id}-${at + 1}`, isOpen: false, show })
      )}
    </Section>
  );
}

function names(id: string, title: string, help: string, list: readonly string[]): VNode | null {
  if (list.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <p class="help">{help}</p>
      <ul>
        {list.map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
