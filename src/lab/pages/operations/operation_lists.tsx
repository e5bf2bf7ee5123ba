/** @jsxImportSource preact */
import type { VNode } from "preact";
import { isObject } from "../../../server/util/text/json.ts";
import { performOperation } from "../../control/control.ts";
import { noInput } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation, OperationDescription } from "../../core/operation.ts";
import type { LabPage, LabPageCall } from "../page/lab_page.ts";
import { ActionForm } from "../parts/form.tsx";
import { Count, FilterForm, hasWords, Paged } from "../parts/long_list.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Empty } from "../parts/tables.tsx";
import { commandSection } from "./operation_commands.tsx";
import { fieldsOf, readForm } from "./operation_fields.ts";
import { groupedEntries } from "./operation_groups.tsx";
import { areaOf, entryTable, titleOf } from "./operation_result.tsx";

/** So many entries are shown where another page has all of them. */
const maxListed = 10;

/** A list with its filter, and what can be done with all of it. */
export async function listPage<L extends CoreLab>(
  operations: ReadonlyArray<Operation<L>>,
  lab: L,
  call: LabPageCall,
  operation: Operation<L>,
): Promise<LabPage> {
  const { base, query, request } = call;
  const around = { call, operations };
  const path = `${base}/lab${operation.page ? operation.path : `/call/${operation.name}`}`;
  const fields = (await fieldsOf(lab, operation)).map(({ help: _, ...field }) => field);
  const input = { ...noInput, query: (await readForm(operation, fields, query)).query };
  const result = await performOperation(lab, operation, { request, operations, ...input });
  const all = Array.isArray(result) ? result.filter(isObject) : [];
  const found = all.filter((entry) => hasWords(JSON.stringify(entry), query.get("q")));
  const title = titleOf(operation);
  const { about = operation.summary, empty, groupOf, hint } = operation.page ?? {};
  const count = <Count shown={found.length} all={all.length} />;
  const below = operations.find(({ name }) => name === operation.page?.below);
  const none = all.length > 0
    ? <Empty title="No entry matches" />
    : <Empty title="There are none yet">{empty}</Empty>;
  return {
    title,
    area: areaOf(call, operation),
    isLive: true,
    content: (
      <>
        <PageHead title={title} actions={listActions(around, operation)}>{about}</PageHead>
        <FilterForm action={path} label="Find" hint={hint} query={query} fields={fields} />
        {groupOf && found.length > 0
          ? groupedEntries(around, operation, found, count)
          : (
            <Section title={title} id="entries" live actions={count}>
              <Paged what={title} list={found} path={path} query={query}>
                {(entries) => entryTable(around, operation, entries, none)}
              </Paged>
            </Section>
          )}
        {below && await listSection(around, lab, below)}
        {commandSection(lab, call, operation)}
      </>
    ),
  };
}

/** The first entries of a list on another page: of all, or of one user. */
export async function listSection<L extends CoreLab>(
  around: { call: LabPageCall; operations: ReadonlyArray<Operation<L>> },
  lab: L,
  operation: Operation<L>,
  query = new URLSearchParams(),
): Promise<VNode> {
  const { call: { request, base }, operations } = around;
  const result = await performOperation(lab, operation, { request, operations, ...noInput, query });
  const all = Array.isArray(result) ? result.filter(isObject) : [];
  const empty = <Empty title="There are none yet">{operation.page?.empty}</Empty>;
  return (
    <Section
      title={titleOf(operation)}
      id={operation.name}
      live
      actions={
        <>
          <a href={`${base}/lab${operation.path}${query.size > 0 ? `?${query}` : ""}`}>
            All{all.length > maxListed && ` ${all.length}`}
          </a>{" "}
          {query.size === 0 && listActions(around, operation)}
        </>
      }
    >
      {entryTable(around, operation, all.slice(0, maxListed), empty)}
    </Section>
  );
}

/** What can be done with a whole list: add to it, or clear it. */
function listActions(
  { call, operations }: { call: LabPageCall; operations: readonly OperationDescription[] },
  { path, page }: OperationDescription,
): VNode[] {
  return operations.filter((each) => {
    const isIn = each.path === path || (each.method === "PUT" && each.path.startsWith(`${path}/:`));
    return isIn && each.method !== "GET" && (each.page || !page);
  }).map((each) =>
    each.method === "DELETE"
      ? clearButton(call, each)
      : (
        <a class="button secondary small" href={`${call.base}/lab/call/${each.name}`}>
          {titleOf(each)}
        </a>
      )
  );
}

/** Removes all entries of a list, or those that its filter leaves: "End all of alice". */
function clearButton(call: LabPageCall, operation: OperationDescription): VNode {
  const kept = Object.keys(operation.query ?? {}).flatMap((name) => {
    const value = call.query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const of = kept.length > 0 ? ` of ${kept.map(([, value]) => value).join(", ")}` : "";
  return (
    <ActionForm
      page={call}
      action={`/call/${operation.name}`}
      back={call.here}
      fields={Object.fromEntries(kept)}
    >
      {titleOf(operation) + of}
    </ActionForm>
  );
}
