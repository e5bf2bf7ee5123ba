/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { BoxField, CheckBox, type Field, SelectField, TextArea, TextField } from "./fields.tsx";

/** What a page knows of the form that it contains: where it goes and what guards it. */
export interface FormOrigin {
  /** The path below which the lab lives: "" or "/t/acme". */
  base: string;
  /** Guards the forms of the page against forgery. */
  formToken: string;
}

interface LabFormProps {
  page: FormOrigin;
  /** The path of the form below `/lab`. */
  action: string;
  /** The path of the page to return to, for handlers that use `seePreviousPage`. */
  back?: string | undefined;
  id?: string | undefined;
  class?: string | undefined;
  children: ComponentChildren;
}

export function LabForm({ page, action, back, children, ...attributes }: LabFormProps): VNode {
  return (
    <form method="post" action={`${page.base}/lab${action}`} {...attributes}>
      <input type="hidden" name="form_token" value={page.formToken} />
      {back !== undefined && <input type="hidden" name="back" value={back} />}
      {children}
    </form>
  );
}

/** The end of a form: its button. */
export function SubmitRow({ look, stays, cancel, children }: {
  look?: "secondary";
  /** Whether it stays in view. It would hide boxes to tick, which are small. */
  stays?: boolean;
  /** The path that leads away without a change. */
  cancel?: string;
  /** What the button does. */
  children: ComponentChildren;
}): VNode {
  return (
    <div class={stays ? "button-row sticky" : "button-row"}>
      <button type="submit" class={look}>{children}</button>
      {cancel !== undefined && <a class="button secondary" href={cancel}>Cancel</a>}
    </div>
  );
}

const looks = { primary: undefined, secondary: "secondary small", danger: "danger" } as const;

/** A button that does one thing: a form without fields to fill in. */
export function ActionForm(
  { fields = {}, look = "secondary", label, children, ...form }: Omit<LabFormProps, "class"> & {
    /** What the form sends. */
    fields?: Readonly<Record<string, string>>;
    /** How the button looks: one on a page is "primary". */
    look?: keyof typeof looks;
    /** What the button is called where its words alone do not name its entry. */
    label?: string;
  },
): VNode {
  return (
    <LabForm {...form} class="inline">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={looks[look]} aria-label={label}>{children}</button>
    </LabForm>
  );
}

/** Shows what is wrong with a form, with a link to the field. */
export function FormProblem({ problem, invalid }: {
  /** What is wrong. Without it, nothing is shown. */
  problem: string | undefined;
  /** The name of the field that is wrong, which is its id, too. */
  invalid: string | undefined;
}): VNode | null {
  if (problem === undefined) return null;
  return (
    <p class="alert" id="problem" role="alert">
      {problem} {invalid !== undefined && <a href={`#${invalid}`}>Go to the field</a>}
    </p>
  );
}

/** What the fields of a form contain. */
interface FieldContents {
  /** The form as it was sent, or as an entry fills it in. */
  values: URLSearchParams;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
  /** What is wrong with it, if that is said next to the field. */
  problem?: string | undefined;
}

/** The fields of a form, in order. Short ones that follow each other share a row. */
export function FormFields({ fields, ...form }: FieldContents & {
  fields: readonly Field[];
}): VNode {
  return (
    <>
      {rowsOf(fields).map((row) => {
        const shown = row.map((field) => <FormField field={field} {...form} />);
        return row.length > 1 ? <div class="fields">{shown}</div> : shown;
      })}
    </>
  );
}

export function FormField({ field, values, invalid, problem }: FieldContents & {
  field: Field;
}): VNode | null {
  const { name, label, help, kind, choices, fields } = field;
  const value = values.get(name) ?? "";
  const shown = { ...field, value, invalid, problem };
  if (fields) {
    const isOpen = fields.some((each) => values.get(each.name) || each.name === invalid);
    return (
      <details id={name} open={isOpen}>
        <summary>{label}</summary>
        <FormFields fields={fields} values={values} invalid={invalid} problem={problem} />
      </details>
    );
  }
  if (choices) return <SelectField {...shown} />;
  switch (kind) {
    case "lines":
    case "json":
    case "any":
    case "others":
      return <TextArea {...shown} />;
    case "check":
      return <CheckBox name={name} label={label} help={help} checked={values.has(name)} />;
    case "boxes":
      return <BoxField {...shown} chosen={values.getAll(name)} />;
    case "hidden":
      return values.has(name) ? <input type="hidden" name={name} value={value} /> : null;
    default:
      return <TextField {...shown} />;
  }
}

function rowsOf(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last && [...last, field].every(isShort)) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

function isShort({ kind = "text", fields }: Field): boolean {
  return !fields && ["text", "url", "secret", "count", "words"].includes(kind);
}
