/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { flowPath, requireFlowSource } from "../../../flows/flow_source.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { type ListRow, Rows } from "../../../pages/parts/rows.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { Empty } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import { groupBy } from "../../../util/lists.ts";
import type { Fault } from "../fault.ts";
import { isSpent } from "./active_bar.tsx";

const maxShown = 12;

/** The faults that are on, with what they have done so far. */
export function activeFaults(faults: readonly Fault[]): VNode {
  const clear = (
    <button type="submit" class="secondary small" name="clear" value="all">Turn all off</button>
  );
  return (
    <Section title="On now" id="active-faults" live actions={faults.length > 0 && clear}>
      <Rows rows={faults.map(activeRow)} empty={<Empty title="No fault is on" />} />
    </Section>
  );
}

/** The last requests that faults changed, the newest first; those of a drill are one row. */
export function firedList(lab: CoreLab, call: LabPageCall): VNode {
  const fired = lab.exchanges().filter(({ faults }) => faults.length > 0).reverse();
  const groups = groupBy(
    fired,
    ({ id, drill }) => drill === undefined ? `${id}` : `drill ${drill}`,
  );
  return (
    <Section title="Fired so far" id="strikes" live>
      <Rows
        rows={groups.slice(0, maxShown).map((group) => firedRow(group, lab, call))}
        empty={<Empty title="Nothing yet" />}
      />
    </Section>
  );
}

/** Describes when a fault fires: "client demo-spa · 2 more times · after 3 requests". */
export function describeScope(fault: Fault): string {
  const { client, tenant, state, loginHint, nth, times } = fault;
  const after = nth === undefined ? 0 : nth - 1;
  const limit = times ?? (nth === undefined ? undefined : 1);
  const left = limit === undefined ? 0 : limit - fault.fired;
  const words = [
    client === undefined ? "every client" : `client ${client}`,
    tenant !== undefined && `tenant ${tenant}`,
    state !== undefined && `state ${state}`,
    loginHint !== undefined && `login_hint ${loginHint}`,
    after > 0 && `after ${counted(after, "request")}`,
    limit !== undefined && (left <= 0 ? "used up" : counted(left, "more time")),
  ];
  return words.filter(Boolean).join(" · ");
}

/** Describes how often a fault fired, and how many requests it met without firing. */
export function describeFirings({ met, fired }: Fault): string {
  if (met === 0) return "has met no request yet";
  if (fired === 0) return `met ${counted(met, "request")}, fired on none`;
  return `fired ${counted(fired, "time")}`;
}

function activeRow(fault: Fault): ListRow {
  const { id, name, fired } = fault;
  const isOver = isSpent(fault);
  const tone = fired > 0 ? "bad" : "warn";
  return {
    id,
    tone: isOver ? "neutral" : tone,
    state: isOver ? "used up" : "on",
    title: (
      <>
        <code>{name}</code> {isOver && <Tag>used up</Tag>}
      </>
    ),
    note: `${describeScope(fault)} · ${describeFirings(fault)}`,
    aside: (
      <button
        type="submit"
        class="secondary small"
        name="remove"
        value={id}
        aria-label={`Turn off ${name}`}
      >
        Turn off
      </button>
    ),
  };
}

function firedRow(
  [exchange, ...more]: readonly [Exchange, ...Exchange[]],
  lab: CoreLab,
  { base, additions }: LabPageCall,
): ListRow {
  const { id, at, faults, drill, request: { method, path, client }, response } = exchange;
  const href = `${base}/lab${flowPath(lab, id)}`;
  const aside = new Date(at).toISOString().slice(11, 19);
  if (drill !== undefined) {
    const { id: flow } = requireFlowSource(lab, `request-${id}`);
    const title = (
      <a href={`${base}/lab/flows?like=${flow}`}>
        {additions("the name of a drill", String(drill))}, {counted(1 + more.length, "request")}
      </a>
    );
    return { tone: "neutral", state: "Drill", title, aside };
  }
  const state = String(response?.status ?? "no response");
  return {
    tone: response ? "neutral" : "bad",
    state,
    title: (
      <a href={href}>
        <code>{faults.join(", ")}</code>
      </a>
    ),
    note: (
      <>
        {method} {path} {client !== undefined && (
          <>
            by <bdi>{client}</bdi>
          </>
        )} <b>{state}</b>
      </>
    ),
    aside,
  };
}
