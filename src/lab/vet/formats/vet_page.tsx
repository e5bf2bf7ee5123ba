/** @jsxImportSource preact */
import type { VNode } from "preact";
import labStyle from "../../../../static/lab.css" with { type: "text" };
import reportStyle from "../../../../static/report.css" with { type: "text" };
import style from "../../../../static/style.css" with { type: "text" };
import { renderFile } from "../../pages/parts/file_document.tsx";
import { PageHead, Section } from "../../pages/parts/section.tsx";
import { SectionLink } from "../../pages/parts/section_link.tsx";
import { Tag, type Tone } from "../../pages/parts/tag.tsx";
import { adviceFor } from "../attack_advice.ts";
import { groupOutcomes, summarizeVet, type VetGroup, type VetGroupId } from "../vet_groups.ts";
import type { VetOutcome, VetResult } from "../vet_result.ts";
import type { VetVerdict } from "../vet_verdict.ts";
import { describeFault } from "./describe_outcome.ts";
import { describeChange } from "./vet_text.ts";

const tones: Readonly<Record<VetGroupId, Tone>> = {
  accepted: "bad",
  rejected: "bad",
  untested: "warn",
  unstable: "warn",
  noticed: "good",
  fine: "good",
  unmet: "neutral",
};

/** Formats a result as one HTML page that needs no other file. */
export async function vetToHtml(result: VetResult, verdict: VetVerdict): Promise<string> {
  return await renderFile({
    title: summarizeVet(result),
    styles: [style, labStyle, reportStyle],
    content: VetPage({ result, verdict }),
  });
}

interface VetPageProps {
  result: VetResult;
  verdict: VetVerdict;
}

function VetPage({ result, verdict }: VetPageProps): VNode {
  const groups = groupOutcomes(result);
  return (
    <>
      <PageHead title={summarizeVet(result)} actions={<VerdictTag verdict={verdict} />}>
        Your tests ran once for each response below: one that a client must not accept, or one that
        is unusual and valid.
      </PageHead>
      <VerdictText verdict={verdict} />
      {groups.map((group) => <GroupSection group={group} />)}
    </>
  );
}

function VerdictTag({ verdict }: { verdict: VetVerdict }): VNode {
  return verdict.passed ? <Tag tone="good">Passed</Tag> : <Tag tone="bad">Failed</Tag>;
}

function VerdictText({ verdict }: { verdict: VetVerdict }): VNode {
  return (
    <>
      {verdict.problems.map((problem) => <p class="alert">{problem}</p>)}
      {describeChange(verdict.change).map((sentence) => <p>{sentence}</p>)}
    </>
  );
}

function GroupSection({ group: { id, title, outcomes } }: { group: VetGroup }): VNode {
  return (
    <Section title={title} id={id} actions={<Tag tone={tones[id]}>{String(outcomes.length)}</Tag>}>
      <table class="stacking">
        <thead>
          <tr>
            <th class="main-column" scope="col">Response</th>
            <th scope="col">{columnOf(id)}</th>
            <th scope="col">Section</th>
          </tr>
        </thead>
        <tbody>{outcomes.map((outcome) => <Row id={id} outcome={outcome} />)}</tbody>
      </table>
    </Section>
  );
}

function columnOf(id: VetGroupId): string {
  if (id === "accepted" || id === "rejected") return "What to do";
  return id === "noticed" ? "Noticed by" : "Why";
}

function Row({ id, outcome }: { id: VetGroupId; outcome: VetOutcome }): VNode {
  return (
    <tr>
      <td>
        {describeFault(outcome)} <code class="muted">{outcome.fault}</code>
      </td>
      <td>
        <Detail id={id} outcome={outcome} />
      </td>
      <td>
        <SectionLink see={outcome.see} />
      </td>
    </tr>
  );
}

function Detail({ id, outcome }: { id: VetGroupId; outcome: VetOutcome }): VNode {
  const { reason = "", tests = [] } = outcome;
  if (id === "noticed" && tests.length > 0) {
    return <>{tests.slice(0, maxTests).map((test) => <div>{test}</div>)}{moreTests(tests)}</>;
  }
  if (id !== "accepted" && id !== "rejected") return <>{reason}</>;
  const { gain, advice } = adviceFor(outcome);
  return (
    <>
      <div>{gain}</div>
      <div>
        <strong>{advice}</strong>
      </div>
    </>
  );
}

/** How many tests a reader looks at. */
const maxTests = 3;

function moreTests(tests: readonly string[]): VNode | null {
  const more = tests.length - maxTests;
  return more > 0 ? <div class="muted">and {more} more</div> : null;
}
