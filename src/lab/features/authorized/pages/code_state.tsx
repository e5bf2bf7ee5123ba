/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { PlayedFlow } from "../../../client_role/played_flow.ts";
import { stateTones } from "../../../pages/flows/lineage_tree.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { formatInstant } from "../../../tokens/describe_instant.ts";

interface CodeStateProps {
  /** The path below which the lab lives. */
  base: string;
  /** The lab's time, in milliseconds. */
  now: number;
  played: PlayedFlow | undefined;
  /** Whether the pages of flows are at the same address. */
  hasFlowPages: boolean;
}

/** What became of the code: it can be redeemed, was spent, or expired. */
export function CodeState({ base, now, played, hasFlowPages }: CodeStateProps): VNode {
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
      <StateSentence played={played} now={now} />
      {hasFlowPages && (
        <a id="flow" href={`${base}/lab/flows/${played.source.id}`}>See the whole flow</a>
      )}
    </p>
  );
}

function StateSentence({ played, now }: { played: PlayedFlow; now: number }): VNode {
  const { codeState: state, spentBy } = played;
  switch (state.kind) {
    case "active":
      return <Remaining until={state.until} now={now} />;
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
    case "replayed":
      return <span>A replay issued it: it is not valid in the lab.</span>;
    case "unknown":
      return <span>A fault changed it.</span>;
  }
}

/** The time that is left. A script counts it down by the clock of the lab. */
function Remaining({ until, now }: { until: number | undefined; now: number }): VNode {
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
