/** @jsxImportSource preact */
import type { JSX } from "preact";
import { Frame, type FrameProps } from "../../pages/frame.tsx";
import type { Report, ReportFinding } from "./report.ts";

export interface ReportProps extends FrameProps {
  issuer: string;
  report: Report;
}

/** Shows the report as a page. */
export function ReportPage(props: ReportProps): JSX.Element {
  const { issuer, report: { findings, idleFaults } } = props;
  const violations = findings.filter(({ kind }) => kind === "violation");
  const advice = findings.filter(({ kind }) => kind === "advice");
  return (
    <Frame {...props} title="Report card" width="wide">
      <section class="card">
        <h1>Report card</h1>
        <p>
          The clients of <code>{issuer}</code> {verdict(violations.length)}
        </p>
      </section>
      <Findings title="Violations" findings={violations} />
      <Findings title="Advice" findings={advice} />
      {idleFaults.length > 0 && (
        <section class="card">
          <h2>Faults that never fired</h2>
          <ul>
            {idleFaults.map((name) => (
              <li>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Frame>
  );
}

function Findings({ title, findings }: { title: string; findings: readonly ReportFinding[] }) {
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

function verdict(violations: number): string {
  if (violations === 0) return "broke no rule.";
  return violations === 1 ? "broke one rule." : `broke rules ${violations} times.`;
}
