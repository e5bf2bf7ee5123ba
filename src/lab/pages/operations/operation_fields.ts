import { type ApiSchema, bodySchema, loadLabSchemas } from "../../control/lab_schemas.ts";
import { openSegment, type OperationInput } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import type { Field } from "../parts/fields.tsx";
import { readFields } from "../parts/form_values.ts";
import { inWords, schemaFields } from "../parts/schema_fields.ts";

/** A longer form has the members that it does not name as JSON, in one field. */
const maxFolded = 20;

/** Returns the fields of all that an operation takes: path, query, and body by its schema. */
export async function fieldsOf(lab: CoreLab, operation: OperationDescription): Promise<Field[]> {
  const { path, query = {}, body } = operation;
  const open = openSegment(path);
  const inPath: Field[] = open === undefined
    ? []
    : [{ name: open, label: inWords(open), required: true, ...choicesOf(lab, open) }];
  const inQuery = Object.entries(query)
    .map(([name, help]): Field => ({ name, label: inWords(name), help, ...choicesOf(lab, name) }));
  return [...inPath, ...inQuery, ...body ? await bodyFields(lab, operation) : []];
}

async function bodyFields(
  lab: CoreLab,
  { name: id, body, values = {}, page = {} }: OperationDescription,
): Promise<Field[]> {
  const { name = "", inPath } = body ?? {};
  const { properties = {}, required = [] } = bodySchema(await loadLabSchemas(), { name });
  const { fields: words = {} } = page;
  const own = Object.keys(words);
  const taken = new Set(own.map((each) => each.split(".")[0] ?? ""));
  const others = Object.keys(properties).filter((each) => !taken.has(each) && each !== inPath);
  const isFirst = (each: string) => own.length === 0 && required.includes(each);
  const describe = (members: readonly string[]) =>
    schemaFields(
      name,
      Object.fromEntries(members.map((each) => [each, {
        ...required.includes(each) && { required: true },
        ...choicesOf(lab, each),
        ...values[each] && { options: values[each]() },
        ...words[each],
      }])),
    );
  const shown = own.length > 0 ? own : others.filter(isFirst);
  const first = await Promise.all(shown.map(async (each): Promise<Field[]> => {
    const [within = "", member] = each.split(".");
    if (member === undefined) return await describe([each]);
    const isRest = member === "*";
    return [{
      name: isRest ? within : each,
      member,
      label: inWords(member),
      within,
      ...isRest ? { kind: "others" } : {},
      ...words[each],
    }];
  }));
  const folded = others.filter((each) => !isFirst(each));
  if (folded.length === 0) return first.flat();
  if (first.length === 0 && folded.length <= maxFolded) return await describe(folded);
  const fields = folded.length > maxFolded ? [inJson] : await describe(folded);
  return [...first.flat(), { name: `more-${id}`, label: "More", fields }];
}

/** All members of a long form that no other field has. */
const inJson: Field = {
  name: "others",
  label: "All other members, in JSON",
  kind: "others",
  rows: 8,
};

/** A user or a client is chosen by name. */
function choicesOf(lab: CoreLab, member: string): Pick<Field, "options"> {
  const clients = () => lab.clients.list().map(({ id }) => id);
  const users = () => lab.users.list().map(({ name }) => name);
  if (member === "client") return { options: clients() };
  if (member === "user") return { options: users() };
  if (member === "sub") return { options: [...users(), ...clients()] };
  return member === "grantTypes" ? { options: lab.context.settings.grantTypes } : {};
}

/**
 * Reads what a form says to an operation.
 *
 * @throws {LabError} A field cannot be read.
 */
export async function readForm(
  { path, query = {}, body: described, page: { fields: words = {} } = {} }: OperationDescription,
  fields: readonly Field[],
  form: URLSearchParams,
): Promise<OperationInput> {
  const open = openSegment(path) ?? "";
  const { [open]: _, ...read } = readFields(fields, form);
  const asked = Object.keys(query).flatMap((name) => {
    const value = form.get(name);
    return value ? [[name, value]] : [];
  });
  const { properties = {} } = described ? bodySchema(await loadLabSchemas(), described) : {};
  const members = Object.entries(read).filter(([name]) =>
    !Object.hasOwn(query, name) && read[words[name]?.unless ?? ""] === undefined
  );
  return {
    segment: form.get(open) ?? "",
    query: new URLSearchParams(asked),
    body: Object.fromEntries(
      members.map(([name, value]) => [name, oneOf(value, properties[name])]),
    ),
  };
}

/** One word is a text where the member may be a text or a list. */
function oneOf(value: unknown, { anyOf = [] }: ApiSchema = {}): unknown {
  const mayBeText = anyOf.some(({ type }) => type === "string");
  return Array.isArray(value) && value.length === 1 && mayBeText ? value[0] : value;
}
