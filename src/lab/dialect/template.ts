import { isObject, parseJson } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/members.ts";
import { derivedId, type SubjectForm } from "./identifier_forms.ts";

/** The values that a template may name: `issuer`, or `user.email` of the object `user`. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A name in a template, how its value is derived, and the value in its absence. */
const placeholder = /\{([a-z]+:)?([a-z]+(?:\.[\w:]+)*)(\|[^}]*)?\}/g;

/** What derives an identifier from a value: `{uuid:user.sub}`. */
const derivations: Readonly<Record<string, SubjectForm>> = {
  uuid: { form: "uuid" },
  number: { form: "digits", length: 8 },
  hex: { form: "hex", length: 32 },
};

/**
 * Fills the names in a template. A text that is one name becomes the value itself, which may be of
 * any type; a member without a value is left out. A name that no value can have stays text:
 * `{tenantid}`.
 */
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === "string") return fillText(template, values);
  if (Array.isArray(template)) return template.map((each) => fillTemplate(each, values));
  return isObject(template) ? fillMembers(template, values) : template;
}

export function fillMembers(
  template: Readonly<Record<string, unknown>>,
  values: TemplateValues,
): Record<string, unknown> {
  const members = Object.entries(template).map(([name, member]) => {
    const filled = fillTemplate(member, values);
    // An object that has no member left is left out as well.
    const isEmptied = isObject(member) && isEmpty(filled) && !isEmpty(member);
    return [name, isEmptied ? undefined : filled] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function fillText(text: string, values: TemplateValues): unknown {
  const [only] = text.matchAll(placeholder);
  if (only?.[0] === text && isKnown(only[2], values)) return valueOf(only, values);
  return text.replace(placeholder, (...match) => {
    const found = match as unknown as RegExpExecArray;
    return isKnown(found[2], values) ? String(valueOf(found, values) ?? "") : found[0];
  });
}

function isKnown(path: string | undefined, values: TemplateValues): boolean {
  return Object.hasOwn(values, path?.split(".")[0] ?? "");
}

function valueOf(
  [, derivation, path = "", otherwise]: readonly (string | undefined)[],
  values: TemplateValues,
): unknown {
  const [first = "", ...rest] = path.split(".");
  const found = values[first];
  const value = rest.reduce<unknown>(
    (each, name) => isObject(each) ? ownMember(each, name) : undefined,
    found,
  );
  if (value === undefined) return otherwise && defaultOf(otherwise.slice(1), values);
  return derivation === undefined ? value : derive(derivation.slice(0, -1), String(value));
}

/** The value in the absence of one is JSON, or another name: `{token.tid|tenant}`. */
function defaultOf(text: string, values: TemplateValues): unknown {
  return isKnown(text, values) ? valueOf([text, undefined, text], values) : parseJson(text);
}

function derive(name: string, text: string): unknown {
  if (name === "integer") return Number(text);
  const form = derivations[name];
  // A text of what may be a number or a boolean: `{text:user.email_verified}`.
  if (!form) return text;
  const id = derivedId(text, form);
  return name === "number" ? Number(id) : id;
}
