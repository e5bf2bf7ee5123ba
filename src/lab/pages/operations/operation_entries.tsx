/** @jsxImportSource preact */
import type { VNode } from "preact";
import { performOperation } from "../../control/control.ts";
import { noInput, openSegment } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation } from "../../core/operation.ts";
import { showValue } from "../../util/json_values.ts";
import type { EntryKind, LabPage, LabPageCall } from "../page/lab_page.ts";
import { ActionForm } from "../parts/form.tsx";
import { fillFields } from "../parts/form_values.ts";
import { PageHead } from "../parts/section.tsx";
import type { ListEntry } from "./operation_cells.tsx";
import { fieldsOf } from "./operation_fields.ts";
import { headButton, operationForm } from "./operation_form.tsx";
import { listSection } from "./operation_lists.tsx";
import { areaOf, resultSection } from "./operation_result.tsx";

/** Returns the section that the page of an entry has below its form. */
export type EntrySection = (
  lab: CoreLab,
  call: LabPageCall,
  name: string,
) => Promise<VNode | undefined>;

/** All that the pages of operations are made of. */
export interface OperationPages<L extends CoreLab> {
  operations: ReadonlyArray<Operation<L>>;
  /** What is known of entries of a kind, such as how a client is tried. */
  sections: Readonly<Record<string, EntrySection>>;
}

/** An entry: the form that changes it, what removes it, and what belongs to it. */
export async function entryPage<L extends CoreLab>(
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
      <>
        <PageHead
          title={<bdi>{showValue(entry.title ?? segment)}</bdi>}
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
          {additions.length > 0 ? additions : operation.page?.about}
        </PageHead>
        {form ?? resultSection(around, operation, entry)}
        {await sections[kind]?.(lab, call, segment)}
        {await Promise.all(
          operations.filter(({ page, query = {} }) => page?.columns && Object.hasOwn(query, kind))
            .map((each) =>
              listSection(around, lab, each, new URLSearchParams({ [kind]: segment }))
            ),
        )}
      </>
    ),
  };
}
