/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import { stateTones } from "../../../pages/flows/lineage_tree.tsx";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { Section } from "../../../pages/parts/section.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Refusal } from "../../../recording/refusal.ts";
import { formatInstant } from "../../../tokens/describe_instant.ts";
import type { FailedFlow, PlayedFlow } from "../callback_flow.ts";

/** What became of the code: it can be redeemed, was spent, or expired. */
export function codeState(
  lab: CoreLab,
  { base, isAlone }: LabPageCall,
  played: PlayedFlow | undefined,
): VNode {
  if (!played) {
    return (
      <p id="code-state" data-live>
        This lab didn't issue this code, or no longer has a record of it.
      </p>
    );
  }
  return (
    <p id="code-state" data-live>
      <Tag tone={stateTones[played.codeState.kind]}>{played.codeState.kind}</Tag>
      {sentenceOf(played, lab.clock.now())}
      {!isAlone && (
        <a id="flow" href={`${base}/lab/flows/${played.source.id}`}>See the whole flow</a>
      )}
    </p>
  );
}

/** What the client can do about an authorization that failed, and what was compared. */
export function failureCause({ base, isAlone }: LabPageCall, { path, refusal }: FailedFlow): VNode {
  return (
    <Section
      id="cause"
      title={refusal?.fix ? "What to do" : "Why it failed"}
      actions={!isAlone && (
        <a id="flow" class="button secondary" href={`${base}/lab${path}`}>See what happened</a>
      )}
    >
      {refusal
        ? causeOf(refusal)
        : <p>The request was valid. It ended this way at the pages of the server.</p>}
    </Section>
  );
}

function sentenceOf({ codeState: state, spentBy }: PlayedFlow, now: number): VNode {
  switch (state.kind) {
    case "active":
      return remaining(state.until, now);
    case "spent":
      return (
        <span>
          Spent by{" "}
          <bdi>{spentBy ?? "a client"}</bdi>. A second use revokes everything issued for it.
        </span>
      );
    case "revoked":
      return <span>It was revoked{state.reason ? `: ${state.reason}` : ""}.</span>;
    case "expired":
      return (
        <span>It expired{state.at === undefined ? "" : ` at ${formatInstant(state.at)}`}.</span>
      );
    case "reissued":
      return <span>A later login has its value, because a test chose it again.</span>;
    case "unknown":
      return <span>A fault changed it.</span>;
  }
}

/** The time that is left. A script counts it down by the clock of the lab. */
function remaining(until: number | undefined, now: number): VNode {
  if (until === undefined) return <span>It can be redeemed once.</span>;
  return (
    <span>
      Expires in{" "}
      <time class="countdown" dateTime={new Date(until).toISOString()} data-until={until}>
        {formatRemaining(until - now)}
      </time>
    </span>
  );
}

/** Formats a span as minutes and seconds: "4:31". */
function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function causeOf({ hint, received, expected, fix }: Refusal): VNode {
  if (hint === undefined && fix === undefined) {
    return <p>This lab refused the request of the client.</p>;
  }
  return (
    <>
      <Comparison received={received} expected={expected} />
      {fix && <p>{fix}</p>}
    </>
  );
}
