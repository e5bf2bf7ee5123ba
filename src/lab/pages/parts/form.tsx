/** @jsxImportSource preact */
import type { VNode } from "preact";
import { BoxField, CheckBox, type Field, SelectField, TextArea, TextField } from "./fields.tsx";

interface FormFieldsProps {
  fields: readonly Field[];
  /** The form as it was sent, or as an entry fills it in. */
  values: URLSearchParams;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
}

/** The fields of a form, in order. Short ones that follow each other share a row. */
export function FormFields({ fields, ...form }: FormFieldsProps): VNode {
  return (
    <>
      {rowsOf(fields).map((row) => {
        const shown = row.map((field) => <FormField field={field} {...form} />);
        return row.length > 1 ? <div class="fields">{shown}</div> : shown;
      })}
    </>
  );
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
  return !fields && ["text", "url", "count", "words"].includes(kind);
}

interface FormFieldProps extends Omit<FormFieldsProps, "fields"> {
  field: Field;
}

/** A field of a form. */
export function FormField({ field, values, invalid }: FormFieldProps): VNode | null {
  const { name, label, kind, choices, fields } = field;
  const value = values.get(name) ?? "";
  const shown = { ...field, value, invalid };
  if (fields) return foldOf(name, label, { fields, values, invalid });
  if (choices) return <SelectField {...shown} />;
  switch (kind) {
    case "lines":
    case "json":
    case "any":
    case "others":
      return <TextArea {...shown} />;
    case "check":
      return <CheckBox name={name} label={label} checked={values.has(name)} />;
    case "boxes":
      return <BoxField {...shown} chosen={values.getAll(name)} />;
    case "hidden":
      return values.has(name) ? <input type="hidden" name={name} value={value} /> : null;
    default:
      return <TextField {...shown} />;
  }
}

function foldOf(id: string, title: string, form: FormFieldsProps): VNode {
  const { fields, values, invalid } = form;
  return (
    <details id={id} open={fields.some(({ name }) => values.get(name) || name === invalid)}>
      <summary>{title}</summary>
      <FormFields {...form} />
    </details>
  );
}
