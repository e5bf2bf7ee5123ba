/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { ValueUse } from "../../../core/remarks.ts";
import { labelOf } from "../../../findings/finding.ts";
import { findingGrades } from "../../../findings/grade.ts";
import { maxNameLength, shorten } from "../../../flows/flow_story.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import { ShortName } from "../../../pages/parts/copy_text.tsx";
import type { Choice } from "../../../pages/parts/fields.tsx";
import { fewFindings, FindingGroups } from "../../../pages/parts/finding_entry.tsx";
import { ActionForm } from "../../../pages/parts/form.tsx";
import { FilterForm } from "../../../pages/parts/long_list.tsx";
import { NoClientYet } from "../../../pages/parts/no_client_yet.tsx";
import { Rows } from "../../../pages/parts/rows.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { scopeRows, Verdict } from "../../../pages/parts/verdict.tsx";
import { nameOfClient } from "../../../recording/tenant_client.ts";
import { describeLimit, earlierTitle, hasExamined, notExamined } from "../failures.ts";
import type { ReportInternals, ReportTools } from "../feature.ts";
import { countGroups, groupFindings } from "../group_report.ts";
import type { Reported } from "../refused_requests.ts";
import type { Report } from "../report.ts";
import { formattedReport } from "../report_formats.ts";
import {
  GradeKey,
  GradeMark,
  groupEntry,
  requestsOf,
  type ShowEvidence,
} from "./finding_groups.tsx";
import {
  countOpen,
  filterSubjects,
  needsWork,
  type ReportSubject,
  subjectsOf,
} from "./report_subjects.ts";

/** The page of the report, and the form that begins it anew; programs get it in JSON. */
export const reportPages: ReadonlyArray<LabPageRoute<ReportTools & ReportInternals>> = [
  pageAt("/report", (lab, call) => formattedReport(lab, call.query) ?? reportPage(lab, call)),
  formAt("/report/clear", (lab) => {
    lab.restartReport();
    return "/report";
  }),
];

/** The verdict, each client and what was drilled, the worst first, and the rest of the report. */
function reportPage(lab: CoreLab & ReportTools, call: LabPageCall): LabPage {
  const report = lab.report();
  const show = requestsOf(lab, call);
  const subjects = subjectsOf(report);
  const { refusedByFault, earlier, idleFaults, leniencies, chosenValues } = report;
  return {
    title: "Report",
    area: "report",
    style: "report.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Report" actions={reportActions(call)}>
          What clients and APIs did wrong, and what they could do better.
        </PageHead>
        <div id="report-verdict" data-live>
          {subjects.length > 0 && verdictOn(report, subjects)}
        </div>
        {report.requests > 0 && reportFilter(report, call)}
        <div id="report" data-live>
          {subjects.length > 0 ? subjectList(subjects, call, show) : (
            <NoClientYet
              lab={lab}
              homeUrl={call.homeUrl}
              title={report.problem ?? "No request has named a client yet"}
            />
          )}
          {findings("refused-by-fault", "Refused because of a fault", refusedByFault, {
            help: "Your faults caused these. They affect no grade.",
            show,
          })}
          {findings("earlier", "Found earlier", earlier, {
            help:
              `${earlierTitle}. They may be fixed; until you start over, they fail hallpass exec.`,
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

/** What a grade is about. */
const judged = {
  Client: "Client: the requests it sent",
  Application: "Application: what it accepted in the drill",
  API: "API",
} as const;

const drilledNames = { Application: "applications", API: "APIs" } as const;

/** Counts what needs work. If all is well, the number is that of the top bar. */
function verdictOn(report: Report, subjects: readonly ReportSubject[]): VNode {
  const earlier = groupFindings(report.earlier).length;
  const isBad = subjects.some(needsWork);
  const count = isBad ? countOpen(subjects.filter(needsWork)) : countGroups(subjects);
  const title = [
    isBad ? whoNeedsWork(subjects) : "No client needs work",
    count > 0 && `: ${counted(count, "finding")}`,
    count > 0 && !isBad && ", advice or settled since",
    earlier > 0 && `, and ${earlier} found earlier`,
  ];
  if (!hasExamined(report)) {
    return (
      <Verdict tone="neutral" title={notExamined}>
        <p>{describeLimit(report)}</p>
      </Verdict>
    );
  }
  const isPart = subjects.some(({ scope }) => scope && scope.untested.length > 0);
  return (
    <Verdict
      tone={isBad ? "bad" : isPart ? "warn" : "good"}
      title={<bdi>{title.filter(Boolean).join("")}</bdi>}
    />
  );
}

function whoNeedsWork(subjects: readonly ReportSubject[]): string {
  const named = subjects.filter(({ name }) => name !== undefined);
  const bad = named.filter(needsWork);
  if (bad.length === 0) return "Requests that name no client were refused";
  if (named.length === 1) return `${shorten(named[0]?.name ?? "", maxNameLength)} needs work`;
  const drilled = new Set(named.flatMap(({ kind }) => kind ? [drilledNames[kind]] : []));
  const kinds = ["clients", ...drilled].join(" and ");
  return `${bad.length} of ${named.length} ${kinds} ${bad.length === 1 ? "needs" : "need"} work`;
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
      <ActionForm page={call} action="/report/clear">Start over</ActionForm>
    </>
  );
}

const kinds: readonly Choice[] = [
  ...findingGrades.map((grade): Choice => [grade, `Findings of ${grade}`]),
  ["refused", "Refused requests"],
  ["note", "Notes"],
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

function subjectList(
  subjects: readonly ReportSubject[],
  { query, additions }: LabPageCall,
  show: ShowEvidence,
): VNode {
  const hints = additions("a client without findings");
  const shown = filterSubjects(subjects, query);
  const [found, all] = [countGroups(shown), countGroups(subjects)];
  const isFiltered = found !== all;
  return (
    <>
      {isFiltered && <p class="finding-count">{found} of {counted(all, "finding")}</p>}
      {shown.length === 0 && <Empty title="Nothing matches the filter" />}
      {shown.map((subject) =>
        subjectEntry(subject, {
          isOpen: isFiltered || needsWork(subject),
          maxOpen: needsWork(subject) || found <= fewFindings ? fewFindings : 0,
          show,
          hints,
        })
      )}
      <GradeKey />
    </>
  );
}

/** A row with the grade of what was drilled; opened, its findings. */
function subjectEntry(subject: ReportSubject, { isOpen, maxOpen, show, hints }: {
  isOpen: boolean;
  /** How many of its findings are shown whole. */
  maxOpen: number;
  show: ShowEvidence;
  hints: readonly VNode[];
}) {
  const { id, name, kind, grade, verdict, counts, groups, related, scope } = subject;
  return (
    <details class="panel group subject" id={id} open={isOpen}>
      <summary>
        {kind !== undefined && <GradeMark grade={grade} />}{" "}
        <h2>{name === undefined ? "Requests that name no client" : <ShortName name={name} />}</h2>
        {" "}
        {name !== undefined && <Tag>{judged[kind ?? "Client"]}</Tag>}{" "}
        <span class="count">
          {[name !== undefined && verdict, counts].filter(Boolean).join(" · ")}
        </span>
      </summary>
      {related && (
        <p>
          <a href={`#${related.id}`}>{related.text}</a>
        </p>
      )}
      {groups.length === 0 && (
        <p>
          No findings, and the lab refused no request. {kind === undefined && hints}
        </p>
      )}
      {kind === undefined
        ? groups.map((group, at) => {
          const label = labelOf(group[0]);
          const first = groups.findIndex(([each]) => labelOf(each) === label);
          const entryId = `${id}-${label}-${at - first + 1}`;
          return groupEntry(group, { id: entryId, isOpen: at < maxOpen, show });
        })
        : (
          <FindingGroups
            findings={groups.flat()}
            maxOpen={maxOpen}
            entry={(finding, isOpen) =>
              groupEntry([finding], { id: `${id}-${finding.id}`, isOpen, show })}
          />
        )}
      {scope && <Rows rows={scopeRows(scope).flat()} />}
    </details>
  );
}

function findings(
  id: string,
  title: string,
  list: readonly Reported[],
  { help, show }: { help: string; show: ShowEvidence },
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
