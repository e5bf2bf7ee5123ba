/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { withLineBreaks } from "../../../server/pages/access_detail.tsx";
import { isObject } from "../../../server/util/text/json.ts";
import { openSegment } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { EntryButton, OperationDescription } from "../../core/operation.ts";
import { explainToken } from "../../tokens/explain_token.ts";
import { indentJson, showValue } from "../../util/json_values.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock, CopyAll, Secret, ShortName } from "../parts/copy_text.tsx";
import { DecodedToken } from "../parts/decoded_token.tsx";
import { ActionForm } from "../parts/form.tsx";
import { inWords } from "../parts/schema_fields.ts";
import { Section } from "../parts/section.tsx";
import { type Column, Empty, Facts, Table } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";

/** An entry of a list, by its members. */
export type ListEntry = Readonly<Record<string, unknown>>;

/** What a page knows of the operations around its own. */
export interface OperationPlace {
  call: LabPageCall;
  operations: readonly OperationDescription[];
}

const maxColumns = 6;
/** A longer text is folded. */
const maxText = 60;
/** More of them in one cell are folded. */
const maxInCell = 3;

/** The entries that an operation lists, with what can be done with each. */
export function entryTable(
  around: OperationPlace,
  operation: OperationDescription,
  entries: readonly ListEntry[],
  empty: VNode,
): VNode {
  const { columns = {}, key } = operation.page ?? {};
  const named = Object.entries(columns);
  const names = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].slice(0, maxColumns);
  const shown = named.length > 0
    ? named.map(([head, member]): Column<ListEntry> => [head, (entry) => {
      const value = typeof member === "string" ? valueAt(entry, member) : member(entry as never);
      return cellOf(around, operation, typeof member === "string" ? member : head, value);
    }])
    : names.map((name): Column<ListEntry> => [
      inWords(name),
      (entry) => cellOf(around, operation, name, entry[name]),
    ]);
  const { buttons: own = {} } = operation.page ?? {};
  const hasButtons = entryActions(around, operation).length + Object.keys(own).length > 0;
  const buttons: Column<ListEntry> = [
    "",
    (entry) => (
      <>
        {Object.entries(own).map(([text, button]) => (
          <>{entryButton(around, text, button, entry)}{" "}</>
        ))}
        {actionsOf(around, operation, entry[key ?? ""], entry)}
      </>
    ),
  ];
  const all = hasButtons ? [...shown, buttons] : shown;
  return <Table columns={linkFirst(around, operation, all)} entries={entries} empty={empty} />;
}

/** The first column leads to the page of an entry, if it has one. */
function linkFirst(
  { call, operations }: OperationPlace,
  { path }: OperationDescription,
  [first, ...others]: Column<ListEntry>[],
): Column<ListEntry>[] {
  if (!first) return [];
  const one = operations.find((each) =>
    each.method === "GET" && each.page && openSegment(each.path) !== undefined &&
    each.path.startsWith(`${path}/:`)
  );
  if (!one) return [first, ...others];
  const link = (entry: ListEntry) => {
    const name = showValue(entry[openSegment(one.path) ?? ""]);
    return (
      <>
        <a href={`${call.base}/lab${path}/${encodeURIComponent(name)}`}>
          <code>
            <ShortName name={name} />
          </code>
        </a>
        {name.length > maxText && <CopyAll what="name" text={name} />}
      </>
    );
  };
  return [[first[0], link], ...others];
}

function valueAt(entry: ListEntry, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Object(value)[name], entry);
}

/** The buttons of an entry of a list that has no page. */
function entryActions(
  { operations }: OperationPlace,
  { path }: OperationDescription,
): OperationDescription[] {
  const ofOne = operations.filter((each) => each.path.startsWith(`${path}/:`));
  if (ofOne.some(({ method, page }) => method === "GET" && page)) return [];
  return ofOne.filter(({ method, body }) => method !== "GET" && !body);
}

/** Calls another operation with members of an entry. A screen reader hears which. */
function entryButton(
  { call }: OperationPlace,
  text: string,
  { operation, members, more }: EntryButton,
  entry: ListEntry,
): VNode {
  const fields = Object.fromEntries(members.map((name) => [name, showValue(entry[name])]));
  return (
    <ActionForm
      page={call}
      action={`/call/${operation}`}
      back={call.here}
      fields={{ ...fields, ...more }}
      label={`${text} ${Object.values(fields).join(", ")}`}
    >
      {text}
    </ActionForm>
  );
}

/** A part of an entry stands for itself: the tokens of a session. */
const part: ListEntry = {};

function actionsOf(
  around: OperationPlace,
  operation: OperationDescription,
  key: unknown,
  entry: ListEntry,
): VNode[] {
  return entryActions(around, operation).flatMap((each) => {
    const name = openSegment(each.path) ?? "";
    const value = key ?? entry[name];
    if (typeof value !== "string" || entry.active === false) return [];
    const words = inWords(each.name.replaceAll("-", "_"));
    const shown = entry === part ? words.split(" ")[0] : words;
    return [
      <ActionForm
        page={around.call}
        action={`/call/${each.name}`}
        back={around.call.here}
        fields={{ [name]: value }}
        label={`${shown} ${value}`}
      >
        {shown}
      </ActionForm>,
    ];
  });
}

/** Shows any value: a link, a tag, a time, a list, or what is long on demand. */
function cellOf(
  around: OperationPlace,
  operation: OperationDescription,
  path: string,
  value: unknown,
): ComponentChildren {
  const name = path.split(".").at(-1) ?? path;
  const isSecret = /secret$|password$/i.test(name);
  if (value === undefined || value === null || value === "") {
    return isSecret ? <span class="muted">none</span> : "";
  }
  if (isSecret) return <Secret text={showValue(value)} />;
  if (value === true) return <Tag tone={name === "active" ? "good" : "neutral"}>{name}</Tag>;
  if (value === false) return <span class="muted">no</span>;
  if (Array.isArray(value)) return listCell(around, operation, name, value);
  const text = showValue(value);
  if (isObject(value) || text.length > maxText) {
    return (
      <details>
        <summary>{text.slice(0, 40)}…</summary>
        <CodeBlock what={name} text={indentJson(text)} />
      </details>
    );
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text.slice(0, 19).replace("T", " ");
  const known = around.operations.some((each) => each.page && each.path === `/${name}s`);
  if (known && around.operations.some(({ page, path }) => page && path.startsWith(`/${name}s/:`))) {
    return (
      <a href={`${around.call.base}/lab/${name}s/${encodeURIComponent(text)}`}>
        <code>{text}</code>
      </a>
    );
  }
  return /^[^\s]*[:/._-][^\s]*$/.test(text)
    ? <code>{withLineBreaks(text)}</code>
    : <bdi>{text}</bdi>;
}

function listCell(
  around: OperationPlace,
  operation: OperationDescription,
  name: string,
  values: readonly unknown[],
): ComponentChildren {
  if (values.length === 0) return <span class="muted">none</span>;
  const list = (
    <ul class="plain">
      {values.map((each) => (
        <li>
          {isObject(each)
            ? objectLine(around, operation, each)
            : <code>{withLineBreaks(showValue(each))}</code>}
        </li>
      ))}
    </ul>
  );
  if (values.length <= maxInCell) return list;
  return (
    <details>
      <summary>{values.length} {inWords(name).toLowerCase()}</summary>
      {list}
    </details>
  );
}

/** A part of an entry, with what can be done with it alone: the tokens of a client in a session. */
function objectLine(
  around: OperationPlace,
  operation: OperationDescription,
  { id, flow, ...members }: ListEntry,
): VNode {
  const [first, second] = Object.values(members).map(showValue);
  return (
    <>
      <code>{first}</code>
      {second && (
        <>
          : <code>{second}</code>
        </>
      )} {typeof flow === "string" && <a href={`${around.call.base}/lab/flows/${flow}`}>{flow}</a>}
      {" "}
      {actionsOf(around, operation, id, part)}
    </>
  );
}

/** Shows what an operation returned: a list as a table, an object as facts. */
export function resultSection(
  around: OperationPlace,
  operation: OperationDescription,
  result: unknown,
): VNode {
  const entries = Array.isArray(result) ? result.filter(isObject) : undefined;
  const facts = Object.entries(Object(result)).map(([name, value]) =>
    [<code>{name}</code>, cellOf(around, operation, name, value)] as const
  );
  return (
    <Section title="Result">
      {entries && entryTable(around, operation, entries, <Empty title="There are none yet" />)}
      {!entries && (facts.length > 0 ? <Facts facts={facts} /> : <p role="status">Done.</p>)}
    </Section>
  );
}

/** Shows what is in each JWT of a result. */
export async function decodedTokens(lab: CoreLab, result: unknown): Promise<VNode | undefined> {
  const members = Object.entries(isObject(result) ? result : {}).filter(([name]) =>
    name !== "token"
  );
  const sections = await Promise.all(members.map(async ([name, value]) => {
    const token = typeof value === "string" ? await explainToken(lab, value) : undefined;
    return token
      ? [
        <Section title={name}>
          <DecodedToken token={token} showsText />
        </Section>,
      ]
      : [];
  }));
  return sections.flat().length > 0 ? <div class="split">{sections.flat()}</div> : undefined;
}

/** Returns the entry of the top bar that the path belongs to. */
export function areaOf({ areas }: LabPageCall, { path }: OperationDescription): string {
  const [, first] = path.split("/");
  return areas(false).find(({ name }) => name === first)?.name ?? "setup";
}

/** Returns the title of an operation, which links have as well. */
export function titleOf({ name, page }: OperationDescription): string {
  return page?.title ?? inWords(name.replaceAll("-", "_"));
}
