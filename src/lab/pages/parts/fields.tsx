/** @jsxImportSource preact */
import type { VNode } from "preact";

/** A field of a form: how it is shown, how it is read, and which member it fills. */
export interface Field {
  name: string;
  label: string;
  /** What it takes. By default, a short text. */
  kind?: FieldContent;
  /** The object that has the member: "claims". By default, what the whole form describes. */
  within?: string;
  /** The member that it fills. By default, that with its name. */
  member?: string;
  /** What an empty field means, or an example. */
  hint?: string | undefined;
  /** A sentence below the field. */
  help?: string;
  /** Values to choose from; a text may be another one. */
  options?: readonly string[];
  /** The only values that there are, with what they are called. */
  choices?: readonly Choice[];
  rows?: number;
  required?: boolean;
  /** The fields of a fold, which is open if one of them has a value or is wrong. */
  fields?: readonly Field[];
}

/** A value to choose, and what it is called. */
export type Choice = readonly [value: string, label: string];

/**
 * What a field takes: `words` have spaces, commas or line breaks between them, `lines` are one value
 * each, `json` is an object, `any` is JSON or text, `others` are the members that no other field
 * fills, in JSON, `boxes` are any of its options, and a `secret` is dots until it is edited.
 */
type FieldContent =
  | "text"
  | "url"
  | "secret"
  | "count"
  | "words"
  | "lines"
  | "json"
  | "any"
  | "others"
  | "check"
  | "boxes"
  | "hidden";

interface ShownField extends Field {
  value: string;
  /** The name of the field that is wrong. The element with the id `problem` says why. */
  invalid?: string | undefined;
  /** What is wrong with it, if that is said next to the field. */
  problem?: string | undefined;
}

/** Returns the attributes of a field that may be wrong, and that may have a sentence below it. */
function describedField({ name, help, invalid }: ShownField) {
  const isInvalid = name === invalid;
  const ids = [isInvalid && "problem", help && `${name}-help`].filter(Boolean);
  return {
    "aria-invalid": isInvalid || undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
}

export function TextField(field: ShownField): VNode {
  const { name, label, value, kind, hint, help, options, required, invalid, problem } = field;
  const [helpId, optionsId] = [`${name}-help`, `${name}-options`];
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={value}
        placeholder={hint}
        inputmode={kind === "count" ? "numeric" : undefined}
        required={required}
        spellcheck={false}
        class={kind === "secret" ? "masked" : undefined}
        {...kind === "url" ? { type: "url" } : { list: options && optionsId, autocomplete: "off" }}
        {...describedField(field)}
      />
      {options && (
        <datalist id={optionsId}>
          {options.map((option) => <option value={option} />)}
        </datalist>
      )}
      {problem && name === invalid && <p class="alert" id="problem" role="alert">{problem}</p>}
      {help && <p class="help" id={helpId}>{help}</p>}
    </div>
  );
}

/** A field for several lines, such as JSON. */
export function TextArea(field: ShownField): VNode {
  const { name, label, value, hint, help, required, rows = 4 } = field;
  return (
    <div>
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        rows={rows}
        placeholder={hint}
        required={required}
        spellcheck={false}
        autocomplete="off"
        {...describedField(field)}
      >
        {value}
      </textarea>
      {help && <p class="help" id={`${name}-help`}>{help}</p>}
    </div>
  );
}

export function SelectField({ name, label, value, choices = [] }: ShownField): VNode {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {choices.map(([each, text]) => (
          <option value={each} selected={each === value}>{text}</option>
        ))}
      </select>
    </div>
  );
}

/** Boxes for any of some values. */
export function BoxField(field: ShownField & { chosen: readonly string[] }): VNode {
  const { name, label, options = [], help, chosen } = field;
  const { "aria-describedby": describedBy } = describedField(field);
  return (
    <fieldset id={name} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <div class="scope-choices">
        {options.map((each) => (
          <CheckBox name={name} value={each} checked={chosen.includes(each)} label={each} />
        ))}
      </div>
      {help && <p class="help" id={`${name}-help`}>{help}</p>}
    </fieldset>
  );
}

export function CheckBox({ name, value = "on", label, help, id = help && name, ...is }: {
  name: string;
  value?: string;
  checked: boolean;
  label: string;
  /** What it does, in a sentence. */
  help?: string | undefined;
  id?: string | undefined;
  disabled?: boolean;
}): VNode {
  const helpId = help && `${id}-help`;
  return (
    <label class="check">
      <input type="checkbox" id={id} name={name} value={value} {...is} aria-describedby={helpId} />
      <span>
        {help ? <strong>{label}</strong> : label}
        {help && (
          <>
            {" "}
            <span class="help" id={helpId}>{help}</span>
          </>
        )}
      </span>
    </label>
  );
}
