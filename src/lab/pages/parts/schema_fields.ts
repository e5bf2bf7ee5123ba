import { type ApiSchema, loadLabSchemas } from "../../control/lab_schemas.ts";
import type { Choice, Field } from "./fields.tsx";

/** What a form says about members of a type, beyond what their schema says. */
export type SchemaMembers = Readonly<Record<string, Partial<Field>>>;

/** A longer hint is cut in a narrow field, in characters. */
const maxHint = 30;

/** Words that are written in capitals, and how others differ from the names of members. */
const acronym = /^(acr|amr|api|ciba|id|idp|jar|jarm|jwe|jwks|jwt|mcp|par|pkce|uri|url)$/;
const otherWords: Readonly<Record<string, string>> = {
  dpop: "DPoP",
  jsonrpc: "JSON-RPC",
  mtls: "mTLS",
  openapi: "OpenAPI",
  uris: "URIs",
};

/**
 * Returns the fields of a form for members of a type that an operation takes. Their kinds, hints and
 * sentences come from the schema that the OpenAPI document has, too.
 */
export async function schemaFields(type: string, members: SchemaMembers): Promise<Field[]> {
  const schemas = await loadLabSchemas();
  return Object.entries(members).map(([member, own]) => {
    const schema = schemas[type]?.properties?.[own.member ?? member];
    if (!schema) throw new Error(`${type} has no member '${own.member ?? member}'.`);
    const named = schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? {};
    return { ...fieldOf(member, { ...named, ...schema }), ...own };
  });
}

function fieldOf(name: string, schema: ApiSchema): Field {
  const text = (schema.description ?? "").replaceAll("`", "");
  const [description = "", byDefault = ""] = text.split(/ ?Default: /);
  const hint = byDefault.replace(/[.:;] .*|\.$/, "").replaceAll('"', "");
  const isLong = hint.length > maxHint;
  const help = isLong ? `${description} Default: ${hint}.` : description;
  return {
    name,
    label: inWords(name),
    ...kindOf(schema),
    ...help !== "" && { help },
    ...hint !== "" && !isLong && { hint },
  };
}

/** Writes a name as words: "redirectUris" becomes "Redirect URIs", "id_token" "ID token". */
export function inWords(name: string): string {
  const words = name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
  const text = words.map((word) =>
    otherWords[word] ?? (acronym.test(word) ? word.toUpperCase() : word)
  ).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function kindOf({ type, enum: values, anyOf }: ApiSchema): Pick<Field, "kind" | "choices"> {
  if (values) return { choices: [["", "default"], ...values.map((each): Choice => [each, each])] };
  const types = [type ?? anyOf?.map((each) => each.type) ?? []].flat(2);
  if (types.includes("boolean")) return { kind: "check" };
  if (types.includes("integer")) return { kind: "count" };
  if (types.includes("array")) return { kind: "words" };
  if (types.includes("string")) return { kind: "text" };
  return { kind: types.includes("object") ? "json" : "any" };
}
