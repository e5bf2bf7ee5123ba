/** @jsxImportSource preact */
import type { VNode } from "preact";
import { CheckBox, type Field, SelectField, TextArea, TextField } from "./fields.tsx";

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

function FormField({ field, values, invalid }: FormFieldProps): VNode | null {
  const { name, label, kind, choices, fields } = field;
  const value = values.get(name) ?? "";
  const shown = { ...field, value, invalid };
  if (fields) return <Fold {...{ name, label, fields, values, invalid }} />;
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
      return <Boxes field={field} chosen={values.getAll(name)} />;
    case "hidden":
      return values.has(name) ? <input type="hidden" name={name} value={value} /> : null;
    default:
      return <TextField {...shown} />;
  }
}

interface FoldProps extends FormFieldsProps {
  name: string;
  label: string;
}

function Fold({ name, label, ...form }: FoldProps): VNode {
  const isOpen = form.fields.some((each) =>
    form.values.get(each.name) || each.name === form.invalid
  );
  return (
    <details id={name} open={isOpen}>
      <summary>{label}</summary>
      <FormFields {...form} />
    </details>
  );
}

interface BoxesProps {
  field: Field;
  chosen: readonly string[];
}

function Boxes({ field: { name, label, options = [], help }, chosen }: BoxesProps): VNode {
  return (
    <fieldset id={name}>
      <legend>{label}</legend>
      <div class="scope-choices">
        {options.map((each) => (
          <CheckBox name={name} value={each} checked={chosen.includes(each)} label={each} />
        ))}
      </div>
      {help && <p class="help">{help}</p>}
    </fieldset>
  );
}
