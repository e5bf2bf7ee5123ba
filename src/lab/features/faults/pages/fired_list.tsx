/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { Section } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { RecordedRequest } from "../../../recording/recorded_request.ts";

const maxShown = 12;

/** The last requests that faults changed, the newest first. */
export function firedList(lab: CoreLab): VNode {
  const fired = lab.requests().filter(({ faults }) => faults.length > 0);
  return (
    <Section title="Fired so far" id="strikes" live>
      {fired.length === 0 && <Empty title="Nothing yet" />}
      <ul class="entries">
        {fired.slice(-maxShown).reverse().map((request) =>
          firedEntry(request, `${lab.context.settings.base}/lab${flowPath(lab, request.id)}`)
        )}
      </ul>
    </Section>
  );
}

function firedEntry(request: RecordedRequest, href: string): VNode {
  const { at, faults, method, path, client, response } = request;
  const time = new Date(at).toISOString();
  return (
    <li>
      <div>
        <a href={href}>
          <code>{faults.join(", ")}</code>
        </a>
        <p class="help">
          <time dateTime={time}>{time.slice(11, 19)}</time> {method} {path}
          {client !== undefined && <>{" "}by {client}</>}
        </p>
      </div>
      <Tag tone={response ? "neutral" : "bad"}>{response?.status ?? "no response"}</Tag>
    </li>
  );
}
