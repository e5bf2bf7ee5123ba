/** @jsxImportSource preact */
import type { VNode } from "preact";
import { isResponseData } from "../../../server/http/response_data.ts";
import { notFound } from "../../../server/http/router.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { performOperation } from "../../control/control.ts";
import { openSegment, type OperationInput } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation, OperationDescription } from "../../core/operation.ts";
import { LabError } from "../../util/lab_error.ts";
import type { EntryKind, LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { formAt, pageAt } from "../page/page_routes.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { ActionForm, FormFields, FormProblem, LabForm, SubmitRow } from "../parts/form.tsx";
import { fieldOf, fillFields } from "../parts/form_values.ts";
import { Count, FilterForm, hasWords, Paged } from "../parts/long_list.tsx";
import { inWords } from "../parts/schema_fields.ts";
import { PageHead, Section } from "../parts/section.tsx";
import { Empty } from "../parts/tables.tsx";
import { fieldsOf, readForm } from "./operation_form.ts";
import { decodedTokens, entryTable, type ListEntry, resultSection } from "./operation_result.tsx";

/** So many entries are shown where another page has all of them. */
const maxListed = 10;

/** Returns the section that the page of an entry has below its form. */
export type EntrySection = (
  lab: CoreLab,
  call: LabPageCall,
  name: string,
) => Promise<VNode | undefined>;

/** All that the pages of operations are made of. */
interface OperationPages<L extends CoreLab> {
  operations: ReadonlyArray<Operation<L>>;
  /** What is known of entries of a kind, such as how a client is tried. */
  sections: Readonly<Record<string, EntrySection>>;
}

/** A form, as it was sent or is filled in. */
interface Shown {
  values: URLSearchParams;
  result?: unknown;
  problem?: LabError | undefined;
  /** The entry that a PUT changes; undefined for a new one. */
  name?: string | undefined;
}

const noInput: OperationInput = { segment: "", query: new URLSearchParams(), body: {} };

/** Creates the page of each operation, and of the lists and entries that it works on. */
export function createOperationPages<L extends CoreLab>(
  pages: OperationPages<L>,
): LabPageRoute<L>[] {
  const { operations } = pages;
  const find = ({ segment }: LabPageCall) => {
    const operation = operations.find((each) => each.name === segment);
    if (!operation) throw notFound();
    return operation;
  };
  const own = operations.filter(({ method, page }) => method === "GET" && page);
  return [
    pageAt("/call/:name", async (lab, call) => {
      const operation = find(call);
      if (isList(operation)) return await listPage(pages, lab, call, operation);
      const values = await filled(lab, call, operation);
      const needed = (await fieldsOf(lab, operation)).filter(({ required }) => required);
      const isComplete = operation.method === "GET" && needed.every(({ name }) => values.has(name));
      const result = isComplete ? await run(pages, lab, call, operation, values) : undefined;
      return isResponseData(result)
        ? result
        : await callPage(pages, lab, call, operation, { values, result });
    }),
    formAt("/call/:name", async (lab, call) => {
      const { form } = call;
      const operation = find(call);
      await checkIsNew(pages, lab, call, operation);
      const result = await run(pages, lab, call, operation, form);
      if (isResponseData(result)) return result;
      if (form.has("back")) return undefined;
      const list = listOf(pages, operation);
      if (list && (operation.method === "PUT" || operation.method === "DELETE")) return list.path;
      return await callPage(pages, lab, call, operation, { values: form, result: result ?? {} });
    }, (lab, call, problem) => {
      const operation = find(call);
      const open = openSegment(operation.path);
      const isEntry = operation.method === "PUT" && open !== undefined && !call.form.has("new");
      const name = isEntry ? call.form.get(open) ?? "" : undefined;
      return callPage(pages, lab, call, operation, { values: call.form, problem, name });
    }),
    ...own.map((operation) =>
      pageAt<L>(
        operation.path,
        (lab, call) =>
          openSegment(operation.path)
            ? entryPage(pages, lab, call, operation)
            : listPage(pages, lab, call, operation),
      )
    ),
  ];
}

function isList({ method, path, returns = "" }: OperationDescription): boolean {
  return method === "GET" && !openSegment(path) && String(returns).endsWith("[]");
}

/** Fills the form of an operation with what the URL says, or with the example. */
async function filled(
  lab: CoreLab,
  { query }: LabPageCall,
  operation: OperationDescription,
): Promise<URLSearchParams> {
  if (query.size > 0 || operation.method === "GET") return new URLSearchParams(query);
  if (operation.method === "PUT") return new URLSearchParams();
  return fillFields(await fieldsOf(lab, operation), operation.example?.body ?? {});
}

async function run<L extends CoreLab>(
  { operations }: OperationPages<L>,
  lab: L,
  { request }: LabPageCall,
  operation: Operation<L>,
  form: URLSearchParams,
): Promise<unknown> {
  const input = await readForm(operation, await fieldsOf(lab, operation), form);
  return await performOperation(lab, operation, { request, operations, ...input });
}

/** A form that adds must not replace what is there. */
async function checkIsNew<L extends CoreLab>(
  pages: OperationPages<L>,
  lab: L,
  { form, request }: LabPageCall,
  operation: Operation<L>,
): Promise<void> {
  const list = listOf(pages, operation);
  const key = openSegment(operation.path);
  if (!form.has("new") || !list || key === undefined) return;
  const { operations } = pages;
  const entries = await performOperation(lab, list, { request, operations, ...noInput });
  const name = form.get(key);
  if (Array.isArray(entries) && entries.some((each) => Object(each)[key] === name)) {
    const [, ...what] = operation.name.split("-");
    throw new LabError(`There is already a ${what.join(" ")} '${name}'.`, { field: key });
  }
}

/** Returns the operation that lists what another one adds, changes or removes. */
function listOf<L extends CoreLab>(
  { operations }: OperationPages<L>,
  { path }: OperationDescription,
): Operation<L> | undefined {
  const all = path.replace(/\/:\w+$/, "");
  return operations.find((each) => each.method === "GET" && each.page && each.path === all);
}

/** The page of any operation: what it takes as a form, and above it what it returned. */
async function callPage<L extends CoreLab>(
  { operations }: OperationPages<L>,
  lab: L,
  call: LabPageCall,
  operation: Operation<L>,
  { values, result, problem, name }: Shown,
): Promise<LabPage> {
  const around = { call, operations };
  return {
    title: name ?? titleOf(operation),
    area: areaOf(call, operation),
    content: (
      <div class={operation.body ? "entry-form" : undefined}>
        <PageHead
          title={name === undefined ? titleOf(operation) : <bdi>{name}</bdi>}
          actions={operation.method === "PUT" && headButton(name, operation)}
        >
          {operation.page?.about ?? operation.summary}
        </PageHead>
        {result !== undefined && (
          <div id="result">
            {await decodedTokens(lab, result)}
            {resultSection(around, operation, result)}
            {operation.body && await commandSection(lab, operation, values)}
          </div>
        )}
        {await operationForm(lab, call, operation, { values, problem, name })}
      </div>
    ),
  };
}

/** The form of an entry is longer than a screen. */
function headButton(name: string | undefined, operation: OperationDescription): VNode {
  return <button type="submit" form="entry" class="small">{buttonOf(name, operation)}</button>;
}

function buttonOf(name: string | undefined, operation: OperationDescription): string {
  return name === undefined ? titleOf(operation) : "Save";
}

/** The command that does the same from a terminal or a script. */
async function commandSection(
  lab: CoreLab,
  operation: OperationDescription,
  values: URLSearchParams,
): Promise<VNode> {
  const { segment, body } = await readForm(operation, await fieldsOf(lab, operation), values);
  const open = openSegment(operation.path);
  const members = { ...open && { [open]: segment }, ...body };
  const options = Object.entries(members).map(([member, value]) =>
    ` --${member} ${shellQuote(typeof value === "string" ? value : JSON.stringify(value))}`
  );
  const text = `hallpass call ${operation.name}${options.join("")}`;
  return (
    <Section title="The same in a terminal">
      <CodeBlock what="command" text={text} />
    </Section>
  );
}

/** The form of an operation, with errors next to their fields. */
export async function operationForm(
  lab: CoreLab,
  call: LabPageCall,
  operation: OperationDescription,
  { values, problem, name }: Shown,
  look: string | false = "panel",
): Promise<VNode> {
  const all = await fieldsOf(lab, operation);
  const open = openSegment(operation.path);
  const fields = name === undefined ? all : all.filter((field) => field.name !== open);
  const invalid = problem?.field && fieldOf(all, problem.field, values);
  const isNew = operation.method === "PUT" && name === undefined;
  const hasBoxes = fields.some(({ kind }) => kind === "boxes" || kind === "check");
  return (
    <LabForm page={call} action={`/call/${operation.name}`} id="entry" class={look || undefined}>
      <FormProblem problem={problem?.message} invalid={invalid} />
      {isNew && <input type="hidden" name="new" value="true" />}
      {name !== undefined && open && <input type="hidden" name={open} value={name} />}
      <FormFields fields={fields} values={values} invalid={invalid} />
      <SubmitRow stays={!hasBoxes}>{buttonOf(name, operation)}</SubmitRow>
    </LabForm>
  );
}

/** Returns the entry of the top bar that the path belongs to. */
function areaOf({ areas }: LabPageCall, { path }: OperationDescription): string {
  const [, first] = path.split("/");
  return areas(false).find(({ name }) => name === first)?.name ?? "setup";
}

function titleOf({ name, page }: OperationDescription): string {
  return page?.title ?? inWords(name.replaceAll("-", "_"));
}

/** A list with its filter, and what can be done with all of it. */
async function listPage<L extends CoreLab>(
  { operations }: OperationPages<L>,
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
  const { about = operation.summary, empty } = operation.page ?? {};
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
        <FilterForm action={path} label="Find" query={query} fields={fields} />
        <Section
          title={title}
          id="entries"
          live
          actions={<Count shown={found.length} all={all.length} />}
        >
          <Paged what={title} list={found} path={path} query={query}>
            {(entries) => entryTable(around, operation, entries, none)}
          </Paged>
        </Section>
        {below && await listSection(around, lab, below)}
      </>
    ),
  };
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

/** An entry: the form that changes it, what removes it, and what belongs to it. */
async function entryPage<L extends CoreLab>(
  { operations, sections }: OperationPages<L>,
  lab: L,
  call: LabPageCall,
  operation: Operation<L>,
): Promise<LabPage> {
  const { segment, request } = call;
  const around = { call, operations };
  const same = (method: string) =>
    operations.find((each) => each.method === method && each.path === operation.path);
  const [put, remove] = [same("PUT"), same("DELETE")];
  const entry: ListEntry = Object(
    await performOperation(lab, operation, { request, operations, ...noInput, segment }),
  );
  const kind = operation.name.replace(/^show-/, "");
  const open = openSegment(operation.path) ?? "";
  const additions = call.additions(kind as EntryKind, segment);
  const form = put && await operationForm(lab, call, put, {
    values: fillFields(await fieldsOf(lab, put), entry),
    name: segment,
  });
  return {
    title: segment,
    area: areaOf(call, operation),
    content: (
      <div class="entry-form">
        <PageHead
          title={<bdi>{segment}</bdi>}
          actions={
            <>
              {put && headButton(segment, put)}
              {remove && (
                <ActionForm
                  page={call}
                  action={`/call/${remove.name}`}
                  id="remove"
                  fields={{ [open]: segment }}
                  look="danger"
                >
                  {`Remove this ${kind}`}
                </ActionForm>
              )}
            </>
          }
        >
          {additions.length > 0 ? additions : undefined}
        </PageHead>
        {form ?? resultSection(around, operation, entry)}
        {await sections[kind]?.(lab, call, segment)}
        {await Promise.all(
          operations.filter(({ page, query = {} }) => page?.columns && Object.hasOwn(query, kind))
            .map((each) =>
              listSection(around, lab, each, new URLSearchParams({ [kind]: segment }))
            ),
        )}
      </div>
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
