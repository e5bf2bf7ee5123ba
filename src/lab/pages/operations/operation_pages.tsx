/** @jsxImportSource preact */
import { isResponseData } from "../../../server/http/response_data.ts";
import { notFound } from "../../../server/http/router.ts";
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import { performOperation } from "../../control/control.ts";
import { exampleInput, noInput, openSegment } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation, OperationDescription } from "../../core/operation.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { formAt, pageAt } from "../page/page_routes.ts";
import { fillFields } from "../parts/form_values.ts";
import { PageHead } from "../parts/section.tsx";
import { commandSection } from "./operation_commands.tsx";
import { entryPage, type OperationPages } from "./operation_entries.tsx";
import { fieldsOf, readForm } from "./operation_fields.ts";
import { headButton, operationForm, type ShownForm } from "./operation_form.tsx";
import { listPage } from "./operation_lists.tsx";
import { areaOf, decodedTokens, resultSection, titleOf } from "./operation_result.tsx";

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
  const withPage = (kind: Operation["kind"]) =>
    operations.filter((each) => each.kind === kind && each.page);
  return [
    pageAt("/call/:name", async (lab, call) => {
      const operation = find(call);
      if (operation.kind === "list") return await listPage(operations, lab, call, operation);
      const values = await filled(lab, call, operation);
      const needed = (await fieldsOf(lab, operation)).filter(({ required }) => required);
      const isComplete = operation.method === "GET" && operation.kind !== "stream" &&
        needed.every(({ name }) => values.has(name));
      const result = isComplete ? await run(pages, lab, call, operation, values) : undefined;
      return isResponseData(result)
        ? result
        : await callPage(pages, lab, call, operation, { values, result });
    }),
    formAt("/call/:name", async (lab, call) => {
      const { form } = call;
      const operation = find(call);
      if (operation.kind === "stream") {
        throw new OAuthError("invalid_request", "This operation streams: a command can follow it.");
      }
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
    ...withPage("list").map((each) =>
      pageAt<L>(each.path, (lab, call) => listPage(operations, lab, call, each))
    ),
    ...withPage("entry").map((each) =>
      pageAt<L>(each.path, (lab, call) => entryPage(pages, lab, call, each))
    ),
  ];
}

/** Fills the form of an operation with what the URL says, or with the example. */
async function filled(
  lab: CoreLab,
  { query }: LabPageCall,
  operation: OperationDescription,
): Promise<URLSearchParams> {
  if (query.size > 0 || operation.method === "GET") return new URLSearchParams(query);
  if (operation.method === "PUT") return new URLSearchParams();
  return fillFields(await fieldsOf(lab, operation), exampleInput(lab, operation).body);
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
  return operations.find((each) => each.kind === "list" && each.page && each.path === all);
}

/** The page of any operation: what it takes as a form, and above it what it returned. */
async function callPage<L extends CoreLab>(
  { operations }: OperationPages<L>,
  lab: L,
  call: LabPageCall,
  operation: Operation<L>,
  { values, result, problem, name }: ShownForm,
): Promise<LabPage> {
  const around = { call, operations };
  return {
    title: name ?? titleOf(operation),
    area: areaOf(call, operation),
    content: (
      <>
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
          </div>
        )}
        {operation.kind !== "stream" &&
          await operationForm(lab, call, operation, { values, problem, name })}
        {commandSection(
          lab,
          call,
          operation,
          result === undefined
            ? undefined
            : await readForm(operation, await fieldsOf(lab, operation), values),
        )}
      </>
    ),
  };
}
