/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { type Check, isViolation } from "../../../findings/finding.ts";
import { describeVerdict, toneOf } from "../../../findings/verdict.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { FindingEntry, type FindingLabel } from "../../../pages/parts/finding_entry.tsx";
import { type OfferedFix, WithFix } from "../../../pages/parts/fix.tsx";
import { ActionForm } from "../../../pages/parts/form.tsx";
import { type ListRow, RowGroup } from "../../../pages/parts/rows.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { catalogue } from "../../faults/catalogue.ts";
import { type DrillProgress, hasResult, summarizeDrill } from "../drill_result.ts";
import type { DrillOutcome } from "../variants/drill_outcome.ts";
import { type DrillVariant, isBinding } from "../variants/drill_variant.ts";

/** How many findings are shown whole: the worst ones. */
const maxOpen = 6;

/** What is no finding, with the dot of its rows. */
const handled = [
  ["refused", "good", "Attacks refused"],
  ["tolerated", "good", "Valid logins accepted"],
  ["optional", "good", "Optional checks"],
  ["unmet", "neutral", "Not met: these tested nothing"],
] as const;

const expectations: Readonly<Record<DrillVariant["expectation"], string>> = {
  refuse: "must be refused",
  accept: "must be accepted",
  either: "optional: accepted or refused",
};

/** What a drill showed so far: the verdict, what is wrong, then all else in a line each. */
export function drillResult(
  call: LabPageCall,
  progress: DrillProgress,
  fix?: OfferedFix,
  prefix = "drill",
): VNode | null {
  const { state, checks, last } = progress;
  if (state === "none") return null;
  const passed = checks.filter(({ findings }) => findings === undefined);
  const notes = progress.verdict.notes.map(({ id, text }): ListRow => ({
    tone: "neutral",
    state: "Not judged",
    title: <code>{id}</code>,
    note: text,
  }));
  return (
    <>
      <WithFix fix={fix}>
        {state === "running" ? runningDrill(call, progress) : verdictOn(call, progress, prefix)}
      </WithFix>
      {last && (
        <div id="drill-last">
          <h2>The drill before: {last.start}</h2>
          {drillResult(call, last, undefined, "last")}
        </div>
      )}
      {findingsOf(call, progress)}
      <RowGroup id={`${prefix}-notes`} title="Not judged" rows={notes} />
      <RowGroup id={`${prefix}-session`} title="Its session" rows={passed.map(checkRow)} />
      {handled.map(([group, tone, title]) => (
        <RowGroup
          id={`${prefix}-${group}`}
          title={title}
          rows={progress.outcomes
            .filter((each) => groupOf(each) === group)
            .map((each) => rowOf(call, each, { tone, state: title }))}
        />
      ))}
    </>
  );
}

/** Every variant of a login, before the first drill. */
export function untriedVariants(variants: readonly DrillVariant[]): VNode {
  return (
    <RowGroup
      id="drill-untried"
      title="What it tries"
      count={counted(variants.length, "login")}
      rows={variants.map(({ fault, expectation }): ListRow => ({
        tone: "neutral",
        state: "Not tested yet",
        title: <code>{fault}</code>,
        note: catalogue.get(fault)?.summary,
        aside: expectations[expectation],
      }))}
    />
  );
}

function runningDrill(call: LabPageCall, { outcomes, total }: DrillProgress): VNode {
  const done = outcomes.length;
  return (
    <div class="verdict drill-progress">
      <label class="verdict-title" for="drill-bar">
        Running {Math.min(done + 1, total)} of {total}
      </label>
      <progress id="drill-bar" value={done} max={total} />
      <ActionForm page={call} action="/drill/stop" id="drill-stop">Stop</ActionForm>
      <noscript>
        <a href="?">Load the page again</a>
      </noscript>
    </div>
  );
}

/** Returns what the form says about a stopped drill. With a result, the verdict says it. */
export function problemInForm(progress: DrillProgress): string | undefined {
  const { field, problem } = progress;
  return field === undefined || hasResult(progress) ? undefined : problem;
}

function verdictOn({ base }: LabPageCall, progress: DrillProgress, prefix: string): VNode {
  const { findings, verdict } = progress;
  const isProof = hasResult(progress);
  return (
    <Verdict
      id={`${prefix}-verdict`}
      tone={isProof ? toneOf(findings, verdict) : "warn"}
      title={isProof ? summarizeDrill(progress) : "The drill stopped, and proves nothing."}
      actions={prefix === "drill" && (
        <>
          <a class="button secondary small" href="#drill-form">Drill again</a>
          <a class="button secondary small" href={`${base}/lab/drill?format=junit`}>JUnit XML</a>
        </>
      )}
    >
      {isProof && (
        <p class="drill-summary">
          {describeVerdict(verdict)}
        </p>
      )}
      {stopOf(progress, prefix)}
    </Verdict>
  );
}

/** Says why a drill stopped, and leads to the URL that is at fault, which may say it itself. */
function stopOf(progress: DrillProgress, prefix: string): VNode | null {
  const { problem, field } = progress;
  const isAtField = field !== undefined && prefix === "drill";
  const said = problemInForm(progress) && isAtField ? undefined : problem;
  if (said === undefined && !isAtField) return null;
  return (
    <p id={isAtField && said !== undefined ? "problem" : undefined}>
      {said} {isAtField && <a href={`#${field}`}>Change the URL</a>}
    </p>
  );
}

const labels: Readonly<Partial<Record<DrillOutcome["outcome"], FindingLabel>>> = {
  accepted: ["bad", "Accepted"],
  wrongly_refused: ["bad", "Wrongly refused"],
};

/** Draws findings, the worst first and open, each labelled with what the application did. */
function findingsOf({ base }: LabPageCall, { findings, outcomes }: DrillProgress): VNode[] {
  const byFault = new Map(outcomes.map((each) => [String(each.fault), each]));
  return findings.map((finding, at) => {
    const { outcome, reason, flow } = byFault.get(finding.id) ?? {};
    const label = outcome && isViolation(finding) ? labels[outcome] : undefined;
    return (
      <FindingEntry
        id={`finding-${finding.id}`}
        finding={finding}
        isOpen={at < maxOpen}
        {...label && { label }}
      >
        {(reason || flow) && (
          <p>
            {reason} {flow && <a href={`${base}/lab/flows/${flow}`}>See it in {flow}</a>}
          </p>
        )}
      </FindingEntry>
    );
  });
}

function checkRow({ id, title, note, skipped }: Check): ListRow {
  const isSkipped = skipped !== undefined;
  return {
    tone: isSkipped ? "neutral" : "good",
    state: isSkipped ? "Not checked" : "Passed",
    title: <code>{id}</code>,
    note: [`${title}.`, note, skipped].filter(Boolean).join(" "),
  };
}

/** Returns where an outcome is listed: what the rules leave open is no attack. */
function groupOf(result: DrillOutcome): string {
  const { outcome } = result;
  if (outcome === "unmet" || isBinding(result)) return outcome;
  const isFinding = outcome === "accepted" || outcome === "wrongly_refused";
  return isFinding && result.class === "advice" ? outcome : "optional";
}

function rowOf(
  { base }: LabPageCall,
  { fault, reason, flow, ...result }: DrillOutcome,
  look: Pick<ListRow, "tone" | "state">,
): ListRow {
  const isAccepted = result.outcome === "tolerated" || result.outcome === "accepted";
  const done = isAccepted ? "Accepted." : "Refused.";
  const isOpen = groupOf({ fault, ...result }) === "optional";
  return {
    ...look,
    title: <code>{fault}</code>,
    note: [isOpen && done, catalogue.get(fault)?.summary, reason].filter(Boolean).join(" "),
    aside: flow && <a href={`${base}/lab/flows/${flow}`}>{flow}</a>,
  };
}
