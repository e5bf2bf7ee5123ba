/** @jsxImportSource preact */
import type { VNode } from "preact";
import { isObject } from "../../../server/util/text/json.ts";
import { openSegment } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import { explainToken } from "../../tokens/explain_token.ts";
import { showValue } from "../../util/json_values.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CopyAll, ShortName } from "../parts/copy_text.tsx";
import { DecodedToken } from "../parts/decoded_token.tsx";
import { inWords } from "../parts/schema_fields.ts";
import { Section } from "../parts/section.tsx";
import { type Column, Empty, Facts, Table } from "../parts/tables.tsx";
import {
  actionsOf,
  cellOf,
  entryActions,
  entryButton,
  type ListEntry,
  maxText,
  type OperationPlace,
  valueAt,
} from "./operation_cells.tsx";

const maxColumns = 6;

/** The entries that an operation lists, with what can be done with each. */
export function entryTable(
  around: OperationPlace,
  operation: OperationDescription,
  entries: readonly ListEntry[],
  empty: VNode,
): VNode {
  const names = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].slice(0, maxColumns);
  const { key, columns = Object.fromEntries(names.map((name) => [inWords(name), name])) } =
    operation.page ?? {};
  const shown = Object.entries(columns).map(([head, member]): Column<ListEntry> => [
    head,
    (entry) =>
      typeof member === "string"
        ? cellOf(around, operation, member, valueAt(entry, member))
        : cellOf(around, operation, head, member(entry as never)),
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

/** Shows what an operation returned: a list as a table, an object as facts and lists. */
export function resultSection(
  around: OperationPlace,
  operation: OperationDescription,
  result: unknown,
): VNode {
  const none = <Empty title="There are none yet" />;
  if (Array.isArray(result)) {
    return (
      <Section title="Result">
        {entryTable(around, operation, result.filter(isObject), none)}
      </Section>
    );
  }
  const { title: _, ...members } = Object(result) as ListEntry;
  const entries = Object.entries(members);
  const hasSection = ([, value]: [string, unknown]) => isTable(value) || isText(value);
  const facts = entries.filter((entry) => !hasSection(entry))
    .map(([name, value]) => [<code>{name}</code>, cellOf(around, operation, name, value)] as const);
  const part = { ...operation, path: "", page: {} };
  return (
    <>
      {entries.length === 0 && <p role="status">Done.</p>}
      {facts.length > 0 && (
        <Section title="Result">
          <Facts facts={facts} />
        </Section>
      )}
      {entries.filter(hasSection).map(([name, value]) => (
        <Section title={inWords(name)} id={name}>
          {isTable(value) && entryTable(around, part, value, none)}
          {isText(value) && <ul>{value.map((each) => <li>{each}</li>)}</ul>}
        </Section>
      ))}
    </>
  );
}

/** Whether a member is a list, which a separate table shows. */
function isTable(value: unknown): value is ListEntry[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Whether a member is a list of sentences. */
function isText(value: unknown): value is string[] {
  return Array.isArray(value) && value.some((each) => typeof each === "string" && / /.test(each));
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

export function titleOf({ name, page }: OperationDescription): string {
  return page?.title ?? inWords(name.replaceAll("-", "_"));
}
