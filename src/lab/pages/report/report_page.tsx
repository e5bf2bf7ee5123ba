/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import {
  type ClientReport,
  findingsIn,
  groupRefused,
  groupReport,
} from "../../report/group_report.ts";
import type { RefusedRequest } from "../../report/refused_requests.ts";
import type { Report } from "../../report/report.ts";
import type { ValueUse } from "../../values/chosen_values.ts";
import { Empty } from "../parts/empty.tsx";
import { type Choice, FilterForm, FilterSelect } from "../parts/filter_form.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { ClientGrades, GradeKey, GradeMark } from "./client_grades.tsx";
import { filterFindings, isShown } from "./filter_findings.ts";
import { type EvidenceSource, FindingEntry, RefusedEntry } from "./finding_entry.tsx";

/** The props of the report page. */
export interface ReportPageProps {
  page: FormOrigin;
  issuer: string;
  homeUrl: string;
  report: Report;
  source: EvidenceSource;
  query: URLSearchParams;
}

/** A grade for each client, and the reasons: violations, refused requests, advice. */
export function ReportCard(props: ReportPageProps): VNode {
  const { page, report } = props;
  const { refusedByFault, idleFaults, leniencies, chosenValues } = report;
  return (
    <>
      <PageHead title="Report" actions={<ReportActions page={page} />}>
        What your clients did wrong, what this lab refused, and what to do about it.
      </PageHead>
      {report.reached && <ReportFilter {...props} />}
      <div id="report" data-live>
        <Clients {...props} />
        <RefusedByFault refused={refusedByFault} source={props.source} />
        <Names
          id="idle-faults"
          title="Faults that never fired"
          help="They tested nothing."
          names={idleFaults}
        />
        <Names
          id="leniencies"
          title="Leniencies of this lab"
          help="With these settings, the lab accepts what a strict server refuses."
          names={leniencies}
        />
        <Names
          id="chosen-values"
          title="Chosen values"
          help="The test chose these values. Those of a server are random."
          names={chosenValues.map(describeUse)}
        />
      </div>
    </>
  );
}

function describeUse({ kind, times, ...about }: ValueUse): string {
  const name = nameOfClient(about);
  const owner = name === undefined ? "" : ` for ${name}`;
  return `${kind}${owner}: ${counted(times, "time")}`;
}

function ReportActions({ page }: { page: FormOrigin }): VNode {
  const href = `${page.base}/lab/report?format=`;
  return (
    <>
      <a class="button secondary small" href={`${page.base}/lab/drill`}>Drill an application</a>
      <a class="button secondary small" href={`${href}junit`}>JUnit XML</a>
      <a class="button secondary small" href={`${href}sarif`}>SARIF</a>
      <LabForm page={page} action="/report/clear">
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

function ReportFilter({ page, report, query }: ReportPageProps): VNode {
  const clients = report.clients.map(nameOfClient).map((name = ""): Choice => [name, name]);
  return (
    <FilterForm
      action={`${page.base}/lab/report`}
      label="Find a finding"
      hint="rule, parameter, error"
      query={query}
    >
      <FilterSelect
        name="client"
        label="Client"
        none="every client"
        choices={clients}
        query={query}
      />
      <FilterSelect
        name="kind"
        label="Kind"
        none="every kind"
        choices={kinds}
        query={query}
      />
    </FilterForm>
  );
}

function Clients(props: ReportPageProps): VNode {
  const { issuer, homeUrl, report, source, query } = props;
  const clients = groupReport(report);
  if (clients.length === 0) return <NoClient {...{ issuer, homeUrl, report }} />;
  const shown = clients.map((client, index) => ({ client: filterFindings(client, query), index }))
    .filter(({ client }) => isShown(client, query));
  return (
    <>
      {report.clients.length > 0 && <ClientGrades clients={report.clients} />}
      <FindingCount
        shown={findingsIn(shown.map(({ client }) => client))}
        all={findingsIn(clients)}
      />
      <GradeKey />
      {shown.length === 0 && <Empty title="Nothing matches the filter" />}
      {shown.map(({ client, index }) => (
        <ClientSection client={client} index={index} source={source} />
      ))}
    </>
  );
}

/** The number that the top bar has, too. */
function FindingCount({ shown, all }: { shown: number; all: number }): VNode {
  const total = counted(all, "finding");
  return <p class="finding-count">{shown === all ? total : `${shown} of ${total}`}</p>;
}

interface NoClientProps {
  issuer: string;
  homeUrl: string;
  report: Report;
}

function NoClient({ issuer, homeUrl, report }: NoClientProps): VNode {
  return (
    <Empty title={report.problem ?? "No request has named a client yet"}>
      Use the issuer <code>{issuer}</code> in your application, or{" "}
      <a href={homeUrl}>start a flow of a demo client</a>.
    </Empty>
  );
}

interface ClientSectionProps {
  client: ClientReport;
  index: number;
  source: EvidenceSource;
}

function ClientSection({ client, index, source }: ClientSectionProps): VNode {
  const { grade, broken, refused, advice } = client;
  const id = `client-${index + 1}`;
  const isFaultless = broken.length + refused.length + advice.length === 0;
  return (
    <Section
      id={id}
      title={grade ? <bdi>{nameOfClient(grade)}</bdi> : "Requests that name no client"}
      actions={grade && <GradeMark grade={grade.grade} />}
    >
      {isFaultless && (
        <p>
          No violations, and the lab refused nothing. Is it as careful when a server is hostile?
          {" "}
          A drill shows it.
        </p>
      )}
      {broken.map((group, at) => (
        <FindingEntry entryId={`${id}-violation-${at + 1}`} group={group} source={source} />
      ))}
      {refused.map((group, at) => (
        <RefusedEntry entryId={`${id}-refused-${at + 1}`} group={group} source={source} />
      ))}
      {advice.map((group, at) => (
        <FindingEntry entryId={`${id}-advice-${at + 1}`} group={group} source={source} />
      ))}
    </Section>
  );
}

interface RefusedByFaultProps {
  refused: readonly RefusedRequest[];
  source: EvidenceSource;
}

function RefusedByFault({ refused, source }: RefusedByFaultProps): VNode | null {
  if (refused.length === 0) return null;
  return (
    <Section id="refused-by-fault" title="Refused because of a fault">
      <p class="help">The test caused these. They count against no client.</p>
      {groupRefused(refused).map((group, at) => (
        <RefusedEntry entryId={`by-fault-${at + 1}`} group={group} source={source} />
      ))}
    </Section>
  );
}

interface NamesProps {
  id: string;
  title: string;
  help: string;
  names: readonly string[];
}

function Names({ id, title, help, names }: NamesProps): VNode | null {
  if (names.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <p class="help">{help}</p>
      <ul>
        {names.map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
