/** @jsxImportSource preact */
import type { VNode } from "preact";
import { tenantPath } from "../../../control/control_path.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { isRefused } from "../../../findings/finding.ts";
import { type Grade, gradeMeanings } from "../../../findings/grade.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { FindingEntry, type FindingLabel } from "../../../pages/parts/finding_entry.tsx";
import { WithFix } from "../../../pages/parts/fix.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import { type RecordedRequest, toRecordedRequest } from "../../../recording/recorded_request.ts";
import { redacted } from "../../../recording/redact_text.ts";
import { acceptedSince, type FindingGroup } from "../group_report.ts";
import type { Reported } from "../refused_requests.ts";

/** More pieces of evidence for one finding are only counted. */
const maxShown = 3;

/** The longest value that is shown, in characters. */
const maxLength = 200;

const resolvedLabel: FindingLabel = ["neutral", acceptedSince];

/** Shows a recorded request, with the parameter or header that is at fault, and links a flow. */
export interface ShowEvidence {
  request(id: number, parameter: string | undefined): VNode;
  flow(id: string, tenant: string | undefined): VNode;
  /** What the lab can do about refused requests, whose entry has an id. */
  fix(findings: FindingGroup, id: string): VNode | null;
}

/** Findings that are alike, with the requests that show them. */
export function groupEntry(group: FindingGroup, { id, isOpen, show }: {
  id: string;
  isOpen: boolean;
  show: ShowEvidence;
}): VNode {
  const [finding] = group;
  const unshown = group.length - maxShown;
  return (
    <FindingEntry
      id={id}
      isOpen={isOpen}
      finding={finding}
      count={group.length}
      {...finding.resolved && { label: resolvedLabel }}
    >
      {faultNames(group.flatMap(({ faults = [] }) => faults))}
      {evidenceOf(group.slice(-maxShown), show)}
      {unshown > 0 && <p class="help">And {unshown} more of the same.</p>}
      {isRefused(finding) && show.fix(group, id)}
    </FindingEntry>
  );
}

/** Returns what shows the recorded requests of a lab with their parameters. Secrets are hidden. */
export function requestsOf(lab: CoreLab, call: LabPageCall): ShowEvidence {
  const { base, here } = call;
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  return {
    request(id, parameter) {
      const exchange = exchanges.get(id);
      if (!exchange) return <p class="muted">Request {id} is no longer recorded.</p>;
      const href = `${base}/lab/flows/request-${id}?exchange=${id}`;
      return markedRequest(toRecordedRequest(exchange, false), href, parameter);
    },
    flow(id, tenant) {
      const path = tenant?.split("/").map(tenantPath).join("") ?? "";
      return (
        <p>
          <a href={`${base}${path}/lab/flows/${id}#step`}>See it in {id}</a>
        </p>
      );
    },
    fix(findings, id) {
      const refused = findings.flatMap(({ where }) => where.exchanges ?? [])
        .flatMap((each) => exchanges.get(each) ?? []);
      const fix = call.offerFix(refused, { here: `${here}#fixed-${id}`, id: `fix-${id}` });
      const isOver = fix?.done && findings[0].resolved;
      return isOver ? null : <WithFix fix={fix} id={`fixed-${id}`} />;
    },
  };
}

/** What came is shown once for requests with which the same came. */
function evidenceOf(findings: readonly Reported[], show: ShowEvidence): VNode[] {
  return findings.map(({ received, expected, where }, index) => {
    const { exchanges = [], parameter, flow } = where;
    const { received: last, expected: lastExpected } = findings[index - 1] ?? {};
    const isSame = index > 0 && received === last && expected === lastExpected;
    return (
      <>
        {!isSame && <Comparison received={received} expected={expected} />}
        {exchanges.slice(-maxShown).map((each) => show.request(each, parameter))}
        {exchanges.length === 0 && flow && show.flow(flow, where.tenant)}
      </>
    );
  });
}

function faultNames(names: readonly string[]): VNode | null {
  if (names.length === 0) return null;
  return (
    <p>
      After {[...new Set(names)].map((name, index) => (
        <>
          {index > 0 && ", "}
          <code>{name}</code>
        </>
      ))}.
    </p>
  );
}

/** The one at fault is marked. It may be missing from the request. */
function markedRequest(request: RecordedRequest, href: string, parameter?: string): VNode {
  const { id, method, path, parameters, headers } = request;
  const header = parameter && headers[parameter.toLowerCase()];
  const isMissing = parameter !== undefined && !parameters[parameter] && !header;
  const shown = Object.entries(parameters).filter(([name]) => !(isMissing && name === parameter));
  return (
    <p class="marked-request">
      <a href={href}>Request {id}</a>
      <code>{method} {path}</code>
      {header && <Pair text={`${parameter}: ${header}`} isAtFault />}
      {shown.map(([name, value]) => (
        <Pair
          text={name === parameter && value === redacted ? name : `${name}=${value}`}
          isAtFault={name === parameter}
        />
      ))}
      {isMissing && <Pair text={`${parameter} is missing`} isAtFault />}
    </p>
  );
}

function Pair({ text, isAtFault = false }: { text: string; isAtFault?: boolean }): VNode {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const pair = <code class="parameter">{shown}</code>;
  return isAtFault ? <mark>{pair}</mark> : pair;
}

/** The letter of a grade, with its meaning for screen readers. */
export function GradeMark({ grade }: { grade: Grade | undefined }): VNode {
  if (grade === undefined) return <span class="grade" role="img" aria-label="No grade">–</span>;
  return (
    <span class={`grade grade-${grade.toLowerCase()}`} role="img" aria-label={`Grade ${grade}`}>
      {grade}
    </span>
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
        Only a drill gives a grade: to an application for what it accepts, or to an API. It has none
        if something that is in use could not be tested. Findings in the requests of a client have
        the same letters, by who gains. A test fails from D up for what a drill found, and from C up
        for what a client sent: there it breaks the rule itself. A refused request has no letter.
      </p>
    </details>
  );
}
