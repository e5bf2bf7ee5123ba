/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { type GradedApi, nameOfApi } from "../../../core/remarks.ts";
import { nameOfClient } from "../../../recording/tenant_client.ts";
import { type ClientGrade, type Grade, gradeMeanings } from "../grades.ts";

const verdicts: Readonly<Record<Grade, string>> = {
  A: "Ready",
  B: "Ready, with advice",
  C: "Does not work yet",
  D: "Needs work",
  F: "Needs work",
};

/** The letter of a grade, with its meaning for screen readers. */
export function GradeMark({ grade }: { grade: Grade | undefined }): VNode {
  if (grade === undefined) return <span class="grade" role="img" aria-label="No grade">–</span>;
  return (
    <span class={`grade grade-${grade.toLowerCase()}`} role="img" aria-label={`Grade ${grade}`}>
      {grade}
    </span>
  );
}

/** A card for each client with its grade, which leads to the details. */
export function ClientGrades({ clients }: { clients: readonly ClientGrade[] }): VNode {
  return (
    <ul class="cards grades" aria-label="Grades of the clients">
      {clients.map((client, index) => (
        <li class="panel">
          <GradeMark grade={client.grade} />
          <div>
            <a href={`#client-${index + 1}`}>
              <bdi>{nameOfClient(client)}</bdi>
            </a>
            <p class="verdict">
              {client.grade === undefined ? "No complete login yet" : verdicts[client.grade]}
            </p>
            <p class="help">{summarize(client)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A card for each API that was drilled, which leads to the drill. */
export function ApiGrades({ apis, base }: { apis: readonly GradedApi[]; base: string }): VNode {
  return (
    <ul class="cards grades" aria-label="Grades of the APIs">
      {apis.map(({ grade, violations, advice, ...api }) => (
        <li class="panel">
          <GradeMark grade={grade} />
          <div>
            <a href={`${base}/lab/drill`}>
              <bdi>{nameOfApi(api)}</bdi>
            </a>
            <p class="verdict">{grade === undefined ? "Not all checks tried" : verdicts[grade]}</p>
            <p class="help">
              {counted(violations, "violation")} · {counted(advice, "piece")} of advice
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Explains how grading works. */
export function GradeKey(): VNode {
  return (
    <details class="grade-key" id="grade-key">
      <summary>How grading works</summary>
      <dl class="pairs">
        {Object.entries(gradeMeanings).map(([grade, meaning]) => (
          <div>
            <dt>
              <GradeMark grade={grade as Grade} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        A client that got no token has no grade, unless it is refused or breaks a rule. A refused
        request is no violation: the client noticed, or will. Advice never makes a report unclean,
        and neither do requests that were refused because of a fault.
      </p>
    </details>
  );
}

/** Returns what led to a grade: "1 violation, 2 requests refused, of 14 requests". */
function summarize({ violations, refused, advice, requests }: ClientGrade): string {
  const parts = [
    violations > 0 && counted(violations, "violation"),
    refused > 0 && `${counted(refused, "request")} refused`,
    advice > 0 && `${counted(advice, "piece")} of advice`,
    counted(requests, "request") + " in all",
  ];
  return parts.filter(Boolean).join(" · ");
}
