/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Empty } from "../parts/empty.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import type { Strike } from "./recent_strikes.ts";

interface StrikeListProps {
  strikes: readonly Strike[];
}

/** The last requests that faults struck. */
export function StrikeList({ strikes }: StrikeListProps): VNode {
  return (
    <Section title="What has struck" id="strikes" live>
      {strikes.length === 0 && <Empty title="Nothing yet" />}
      <ul class="entries">
        {strikes.map((strike) => <StrikeEntry strike={strike} />)}
      </ul>
    </Section>
  );
}

function StrikeEntry({ strike }: { strike: Strike }): VNode {
  const { flow, at, faults, method, path, client, status } = strike;
  return (
    <li>
      <div>
        <a href={flow}>
          <code>{faults.join(", ")}</code>
        </a>
        <p class="help">
          <time dateTime={new Date(at).toISOString()}>
            {new Date(at).toISOString().slice(11, 19)}
          </time>{" "}
          {method} {path}
          {client !== undefined && <>{" "}by {client}</>}
        </p>
      </div>
      <Tag tone={status === undefined ? "bad" : "neutral"}>{status ?? "no response"}</Tag>
    </li>
  );
}
