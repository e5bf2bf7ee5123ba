/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  CheckBox,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from "./fields.tsx";

/** A form as it was sent, or as an entry fills it in. */
export interface EnteredForm {
  values: URLSearchParams;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
}

/** The fields of one form, which show what was entered, and which of them is wrong. */
export interface EnteredFields {
  Text(props: Omit<TextFieldProps, "value" | "invalid">): VNode;
  Area(props: Omit<TextAreaProps, "value" | "invalid">): VNode;
  Check(props: { name: string; label: string }): VNode;
}

/** Creates the fields of a form. */
export function enteredFields({ values, invalid }: EnteredForm): EnteredFields {
  const shown = (name: string) => ({ value: values.get(name) ?? "", invalid });
  return {
    Text: (props) => <TextField {...props} {...shown(props.name)} />,
    Area: (props) => <TextArea {...props} {...shown(props.name)} />,
    Check: (props) => <CheckBox {...props} checked={values.has(props.name)} />,
  };
}
