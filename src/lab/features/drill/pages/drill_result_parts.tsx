/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { toneOf } from "../../../findings/verdict.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { FindingEntry, FindingGroups } from "../../../pages/parts/finding_entry.tsx";
import { type OfferedFix, WithFix } from "../../../pages/parts/fix.tsx";
import { ActionForm } from "../../../pages/parts/form.tsx";
import { type ListRow, RowGroup } from "../../../pages/parts/rows.tsx";
import { GradedTitle, Verdict, VerdictScope } from "../../../pages/parts/verdict.tsx";
import { catalogue } from "../../faults/catalogue.ts";
import { checkRow } from "../../verdicts/pages/check_row.tsx";
import { UnseenRequirements } from "../../verdicts/unseen_requirements.tsx";
import { type DrillProgress, hasResult, summarizeDrill } from "../drill_result.ts";
import type { DrillOutcome } from "../variants/drill_outcome.ts";
import type { DrillVariant } from "../variants/drill_variant.ts";

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

/** What the page can do about a result. */
interface NextSteps {
  /** What the lab can do about the refusal that stopped the drill. */
  fix?: OfferedFix | undefined;
  /** Whether the page can run a drill. */
  runs?: boolean;
}

/** What a drill showed so far: the verdict, what is wrong, then all else in a line each. */
export function drillResult(
  call: LabPageCall,
  progress: DrillProgress,
  next: NextSteps = {},
  prefix = "drill",
): VNode | null {
  const { state, checks, last } = progress;
  if (state === "none") return null;
  const passed = checks.filter(({ findings }) => findings === undefined);
  return (
    <>
      <WithFix fix={next.fix}>
        {state === "running"
          ? runningDrill(call, progress)
          : verdictOn(call, progress, prefix, next)}
      </WithFix>
      {last && (
        <div id="drill-last">
          <h2>The drill before: {last.start}</h2>
          {drillResult(call, last, {}, "last")}
        </div>
      )}
      {findingsOf(call, progress)}
      <VerdictScope id={prefix} verdict={progress.verdict} />
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
      {state !== "running" && hasResult(progress) && (
        <UnseenRequirements id={prefix} side="application" />
      )}
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

function runningDrill(call: LabPageCall, { outcomes, checks, total }: DrillProgress): VNode {
  const done = outcomes.length;
  // The checks of the session, which come first, are a third of a drill.
  const hasBegun = done + checks.length > 0;
  return (
    <div class="verdict drill-progress">
      <label class="verdict-title" for="drill-bar">
        {hasBegun
          ? `Running ${Math.min(done + 1, total)} of ${total}`
          : `First without a fault, then ${counted(total, "login")} with one each`}
      </label>
      <progress id="drill-bar" value={done} max={total} />
      <ActionForm page={call} action="/drill/stop" id="drill-stop">Stop</ActionForm>
      <noscript>
        <a href="?">Load the page again</a>
      </noscript>
    </div>
  );
}

/** The result; or first why the drill stopped, with the one button that helps, if a fix has none. */
function verdictOn(
  call: LabPageCall,
  progress: DrillProgress,
  prefix: string,
  { fix, runs }: NextSteps,
): VNode {
  const { findings, verdict, problem, field } = progress;
  const isProof = hasResult(progress);
  const [reason = "", details] = problem?.split(/(?<=[.!?]) (.*)/s) ?? [];
  const summary = <GradedTitle verdict={verdict}>{summarizeDrill(progress)}</GradedTitle>;
  return (
    <Verdict
      id={`${prefix}-verdict`}
      tone={isProof ? toneOf(findings, verdict) : "warn"}
      title={problem === undefined ? summary : <bdi>{reason}</bdi>}
      actions={prefix === "drill" && (
        <>
          {field !== undefined && <a class="button small" href={`#${field}`}>Change the URL</a>}
          {field === undefined && !fix?.button && runs && runAgain(call, progress)}
          {isProof && (
            <a class="button secondary small" href={`${call.base}/lab/drill?format=junit`}>
              JUnit XML
            </a>
          )}
        </>
      )}
    >
      {problem !== undefined && (
        <>
          {details && (
            <p>
              <bdi>{details}</bdi>
            </p>
          )}
          <p>
            {isProof ? <>The drill stopped. {summary}</> : "The drill stopped, and proves nothing."}
          </p>
        </>
      )}
    </Verdict>
  );
}

/** Runs the same drill again, unless a test ran it. */
function runAgain(page: LabPageCall, progress: DrillProgress): VNode | null {
  const { start, check, refresh, logout, user, severalIssuers, mcp } = progress;
  if (start === undefined) return null;
  const urls = Object.entries({ start, check, refresh, logout, user });
  const fields = urls.filter((field): field is [string, string] => field[1] !== undefined);
  const checked = { ...severalIssuers && { severalIssuers: "on" }, ...mcp && { mcp: "on" } };
  return (
    <ActionForm
      page={page}
      action="/drill/start"
      id="drill-again"
      fields={{ ...Object.fromEntries(fields), ...checked }}
    >
      Run again
    </ActionForm>
  );
}

/** Draws findings, the worst first, each with the flow that proves it. */
function findingsOf({ base }: LabPageCall, { findings }: DrillProgress): VNode {
  return (
    <FindingGroups
      findings={findings}
      entry={(finding, isOpen) => {
        const { id, received, where: { flow } } = finding;
        // What a mistake explains may have the id of another one.
        const isFirst = findings.includes(finding);
        const proof = (
          <>
            {received && <bdi>Seen: {sentence(received)}</bdi>}{" "}
            {flow && <a href={`${base}/lab/flows/${flow}#step`}>See it in {flow}</a>}
          </>
        );
        return (
          <FindingEntry
            {...isFirst && { id: `finding-${id}` }}
            finding={finding}
            isOpen={isOpen}
            proof={proof}
          >
            {null}
          </FindingEntry>
        );
      }}
    />
  );
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Returns where an outcome is listed: what the rules leave open is no attack. */
function groupOf({ outcome, rule, grade }: DrillOutcome): string {
  const isOpen = (rule ?? "may") === "may" && grade === undefined;
  return isOpen && outcome !== "unmet" ? "optional" : outcome;
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
