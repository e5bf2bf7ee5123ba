/** @jsxImportSource preact */
import type { VNode } from "preact";

/** A field that may be wrong. */
export interface MarkedFieldProps {
  /** The name of the field that is wrong. The element with the id `problem` says why. */
  invalid?: string | undefined;
}

/** Returns the attributes of a field that may be wrong, and that may have a sentence below it. */
function describedField(name: string, help: string | undefined, invalid: string | undefined) {
  const isInvalid = name === invalid;
  const ids = [isInvalid && "problem", help && `${name}-help`].filter(Boolean);
  return {
    "aria-invalid": isInvalid || undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
}

/** What a field for a short text shows. */
export interface TextFieldProps extends MarkedFieldProps {
  /** The name of the field, and its id. */
  name: string;
  label: string;
  value: string;
  /** What an empty field means, or an example. */
  hint?: string | undefined;
  /** A sentence below the field. */
  help?: string | undefined;
  /** Values to choose from; others are possible. */
  options?: readonly string[] | undefined;
  required?: boolean | undefined;
  /** Whether it takes a whole number. */
  isCount?: boolean | undefined;
}

/** A field for a short text. */
export function TextField(props: TextFieldProps): VNode {
  const { name, label, value, hint, help, options, required, isCount, invalid } = props;
  const [helpId, optionsId] = [`${name}-help`, `${name}-options`];
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={value}
        placeholder={hint}
        list={options && optionsId}
        inputmode={isCount ? "numeric" : undefined}
        required={required}
        autocomplete="off"
        spellcheck={false}
        {...describedField(name, help, invalid)}
      />
      {options && (
        <datalist id={optionsId}>
          {options.map((option) => <option value={option} />)}
        </datalist>
      )}
      {help && <p class="help" id={helpId}>{help}</p>}
    </div>
  );
}

/** What a field for several lines shows. */
export interface TextAreaProps extends MarkedFieldProps {
  name: string;
  label: string;
  value: string;
  hint?: string | undefined;
  help?: string | undefined;
  rows?: number | undefined;
}

/** A field for several lines, such as JSON. */
export function TextArea(props: TextAreaProps): VNode {
  const { name, label, value, hint, help, invalid, rows = 4 } = props;
  const helpId = `${name}-help`;
  return (
    <div>
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        rows={rows}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        {...describedField(name, help, invalid)}
      >
        {value}
      </textarea>
      {help && <p class="help" id={helpId}>{help}</p>}
    </div>
  );
}

interface SelectFieldProps {
  name: string;
  label: string;
  value: string;
  options: ReadonlyArray<readonly [value: string, label: string]>;
}

/** A field for one of a few values. */
export function SelectField({ name, label, value, options }: SelectFieldProps): VNode {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === value}>{text}</option>
        ))}
      </select>
    </div>
  );
}

interface CheckBoxProps {
  name: string;
  value?: string | undefined;
  checked: boolean;
  label: string;
}

/** A box to tick. */
export function CheckBox({ name, value = "on", checked, label }: CheckBoxProps): VNode {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
}
