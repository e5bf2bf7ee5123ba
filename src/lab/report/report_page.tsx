/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Report } from "./report.ts";
import type { ReportFinding } from "./report_rule.ts";

/** The props of the report. */
export interface ReportCardProps {
  issuer: string;
  report: Report;
}

interface FindingListProps {
  title: string;
  findings: readonly ReportFinding[];
}

interface NameListProps {
  title: string;
  names: readonly string[];
}

/** Shows the violations first, then the advice, then the faults that tested nothing. */
export function ReportCard({ issuer, report }: ReportCardProps): JSX.Element {
  const { findings, idleFaults, leniencies } = report;
  const violations = findings.filter(({ kind }) => kind === "violation");
  const advice = findings.filter(({ kind }) => kind === "advice");
  return (
    <>
      <section class="card">
        <h1>Client report</h1>
        <p>
          The clients of <code>{issuer}</code> {describeViolations(violations.length)}
        </p>
      </section>
      <FindingList title="Violations" findings={violations} />
      <FindingList title="Advice" findings={advice} />
      <NameList title="Faults that never fired" names={idleFaults} />
      <NameList title="Leniencies of this lab" names={leniencies} />
    </>
  );
}

function NameList({ title, names }: NameListProps): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul>
        {names.map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FindingList({ title, findings }: FindingListProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      {findings.map(({ id, says, see, seen, client }) => (
        <div class="finding">
          <h3>
            <code>{id}</code>
          </h3>
          <p>{says}</p>
          <p class="fine">
            {client !== undefined && (
              <>
                Client <code>{client}</code>.{" "}
              </>
            )}
            Seen: {seen}. See {see}.
          </p>
        </div>
      ))}
    </section>
  );
}

function describeViolations(count: number): string {
  if (count === 0) return "broke no rule.";
  return count === 1 ? "broke one rule." : `broke rules ${count} times.`;
}
