/** @jsxImportSource preact */
import type { VNode } from "preact";
import { openSegment } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import type { LabError } from "../../util/lab_error.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { FormFields, FormProblem, LabForm, SubmitRow } from "../parts/form.tsx";
import { fieldOf } from "../parts/form_values.ts";
import { fieldsOf } from "./operation_fields.ts";
import { titleOf } from "./operation_result.tsx";

/** A form, as it was sent or is filled in. */
export interface ShownForm {
  values: URLSearchParams;
  result?: unknown;
  problem?: LabError | undefined;
  /** The entry that a PUT changes; undefined for a new one. */
  name?: string | undefined;
}

/** The form of an operation, with errors next to their fields. */
export async function operationForm(
  lab: CoreLab,
  call: LabPageCall,
  operation: OperationDescription,
  { values, problem, name }: ShownForm,
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

/** The form of an entry is longer than a screen. */
export function headButton(name: string | undefined, operation: OperationDescription): VNode {
  return <button type="submit" form="entry">{buttonOf(name, operation)}</button>;
}

function buttonOf(name: string | undefined, operation: OperationDescription): string {
  return name === undefined ? titleOf(operation) : "Save";
}
