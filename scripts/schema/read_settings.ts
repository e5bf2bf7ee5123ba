/** Reads the documented interfaces of the settings, as `deno doc` describes them. */
import type { Schema } from "../../src/server/config/schema.ts";
import { parseDuration } from "../../src/server/util/time/duration.ts";
import { readDoc } from "../references/read_kit.ts";
import { maxDuration } from "./bounds.ts";

/** The type of a setting: a schema whose parts may be named, or code, which JSON cannot hold. */
export type SettingType =
  | Exclude<Schema, { type: "anyOf" | "array" | "map" | "object" }>
  | { type: "code" | "null" }
  | { type: "ref"; name: string }
  | { type: "anyOf"; options: SettingType[] }
  | { type: "array"; items: SettingType }
  | { type: "map"; values: SettingType }
  | { type: "object"; members: Setting[] };

/** A member of an interface of settings. */
export interface Setting {
  name: string;
  type: SettingType;
  required: boolean;
  description: string;
  /** As the tag `@default` has it: JSON, or a description. Without the tag, by its type. */
  default?: string | undefined;
  /** The texts of all its tags. */
  tags?: Tags;
}

/** A named type: an interface of settings, or a list of words. */
export interface NamedType {
  type: SettingType;
  description: string;
}

/** Every type that the settings refer to, by its name. */
export type SettingTypes = ReadonlyMap<string, NamedType>;

/** A type as `deno doc` writes it, as far as settings use it. */
type DocType =
  | { kind: "keyword"; value: string }
  | { kind: "literal"; value: { kind: string; string?: string } }
  | { kind: "union"; value: DocType[] }
  | { kind: "array" | "parenthesized"; value: DocType }
  | { kind: "typeOperator"; value: { operator: string; tsType: DocType } }
  | { kind: "typeLiteral"; value: { properties: DocMember[] } }
  | { kind: "typeRef"; value: { typeName: string; typeParams?: DocType[] } }
  | { kind: "indexedAccess"; value: { objType: DocType; indexType: DocType } }
  | { kind: "fnOrConstructor" };

interface DocMember {
  name: string;
  optional?: boolean;
  tsType?: DocType;
  jsDoc?: { doc?: string; tags?: Array<{ kind: string; value?: string }> };
}

export interface DocDeclaration {
  kind: string;
  jsDoc?: DocMember["jsDoc"];
  def: {
    extends?: DocType[];
    properties?: DocMember[];
    methods?: DocMember[];
    indexSignatures?: Array<{ tsType: DocType }>;
    tsType?: DocType;
  };
}

type Tags = ReadonlyMap<string, string>;

/** Interfaces that an embedder implements. Whether they fit, the compiler checks. */
const implementations = ["Store", "Passwords"];

/** Most defaults follow from the type. No setting has to say that its list is empty. */
const naturalDefaults: Partial<Record<SettingType["type"], string>> = {
  boolean: "false",
  array: "[]",
  map: "{}",
};

/** A key is never empty. */
const jwk: SettingType = { type: "map", values: { type: "unknown" } };

/** Types whose values are too many to list. */
const textTypes = ["FaultName"];

/**
 * Reads the types that some interfaces of settings consist of, and others, whose members have no
 * default but that of the tag: a response without one does not have the member.
 */
export function readSettingTypes(
  declarations: ReadonlyMap<string, DocDeclaration>,
  settings: readonly string[],
  others: readonly string[] = [],
): SettingTypes {
  const types = new Map<string, NamedType>();
  let areSettings = true;
  for (const root of settings) readNamed(root);
  areSettings = false;
  for (const root of others) readNamed(root);
  return types;

  function readNamed(name: string): SettingType {
    if (!types.has(name)) {
      const declaration = declarations.get(name);
      if (!declaration) throw new Error(`No file exports the type ${name}.`);
      const named: NamedType = { type: { type: "unknown" }, description: textOf(declaration) };
      types.set(name, named);
      named.type = readDeclaration(declaration);
    }
    return { type: "ref", name };
  }

  /** Reads a declaration, with the members that an interface narrows which extends it. */
  function readDeclaration(
    { def, kind }: DocDeclaration,
    narrowed: readonly Setting[] = [],
  ): SettingType {
    if (kind === "typeAlias" && def.tsType) return readType(def.tsType, new Map());
    const [index] = def.indexSignatures ?? [];
    if (index) return { type: "map", values: readType(index.tsType, new Map()) };
    const own = [...def.methods ?? [], ...def.properties ?? []].map((member) =>
      narrowed.find(({ name }) => name === member.name) ?? readMember(member)
    );
    const inherited = (def.extends ?? []).flatMap((parent) =>
      membersOf(parent, [...narrowed, ...own])
    );
    const names = inherited.map(({ name }) => name);
    const added = own.filter(({ name }) => !names.includes(name));
    return { type: "object", members: [...inherited, ...added] };
  }

  /** Reads a property, or a method, which has no type. */
  function readMember(member: DocMember): Setting {
    const tags = tagsOf(member);
    const type = readType(member.tsType ?? { kind: "fnOrConstructor" }, tags);
    return {
      name: member.name,
      type,
      required: !member.optional,
      description: textOf(member),
      default: tags.get("default") ??
        (areSettings && member.optional ? naturalDefault(type) : undefined),
      tags,
    };
  }

  function naturalDefault(type: SettingType): string | undefined {
    const named = type.type === "ref" && types.get(type.name)?.type;
    if (named) return naturalDefault(named);
    return type === jwk ? undefined : naturalDefaults[type.type];
  }

  function readType(type: DocType, tags: Tags): SettingType {
    switch (type.kind) {
      case "keyword":
        return readKeyword(type.value, tags);
      case "literal":
        return type.value.string === undefined
          ? { type: "string" }
          : { type: "enum", values: [type.value.string] };
      case "union":
        return readUnion(type.value, tags);
      case "array":
        return { type: "array", items: readType(type.value, tags) };
      case "parenthesized":
        return readType(type.value, tags);
      case "typeOperator":
        return type.value.operator === "keyof"
          ? namesIn(type.value.tsType)
          : readType(type.value.tsType, tags);
      case "typeLiteral":
        return { type: "object", members: type.value.properties.map(readMember) };
      case "typeRef":
        return readReference(type.value.typeName, type.value.typeParams ?? [], tags);
      case "indexedAccess":
        return readIndexed(type.value.objType, type.value.indexType);
      case "fnOrConstructor":
        return { type: "function" };
    }
    throw new Error(`A setting cannot have a type such as ${JSON.stringify(type)}.`);
  }

  /** Returns the words of a list, which may consist of others; none for any other type. */
  function wordsOf(type: DocType): string[] {
    if (type.kind !== "union") return [];
    const words = type.value.map((part) => {
      const named = part.kind === "typeRef" ? declarations.get(part.value.typeName) : undefined;
      return named?.def.tsType ? wordsOf(named.def.tsType) : wordsIn([part]);
    });
    return words.every(({ length }) => length > 0) ? words.flat() : [];
  }

  function readUnion(parts: DocType[], tags: Tags): SettingType {
    const list = wordsOf({ kind: "union", value: parts });
    if (list.length > 0) return { type: "enum", values: list };
    const values = wordsIn(parts);
    const others = parts.filter((part) =>
      wordsIn([part]).length === 0 && !(part.kind === "keyword" && part.value === "undefined")
    );
    const options = others.map((each) => readType(each, tags));
    // A word comes first: it could be mistaken for any string, or for a malformed duration.
    if (values.length > 0) options.unshift({ type: "enum", values });
    const [only, ...more] = options;
    return only && more.length === 0 ? only : { type: "anyOf", options };
  }

  function readReference(name: string, parameters: DocType[], tags: Tags): SettingType {
    const [first, second] = parameters;
    if (implementations.includes(name)) return { type: "code" };
    if (textTypes.includes(name)) return { type: "string" };
    if (name === "Duration") return readDuration(tags);
    if (name === "JWK") return jwk;
    if (name === "Record" && second) return { type: "map", values: readType(second, tags) };
    if (name.endsWith("Array") && first) return { type: "array", items: readType(first, tags) };
    if (name === "Partial" || name === "Pick" || name === "Omit") {
      return { type: "object", members: derivedMembers(name, parameters) };
    }
    const declaration = declarations.get(name);
    const aliased = declaration?.kind === "typeAlias" ? declaration.def.tsType : undefined;
    return aliased && wordsOf(aliased).length === 0 ? readType(aliased, tags) : readNamed(name);
  }

  /** Returns the names of the members of an interface, whose types need not be known. */
  function namesIn(type: DocType): SettingType {
    const declaration = type.kind === "typeRef" && declarations.get(type.value.typeName);
    if (!declaration) throw new Error("Only an interface has members.");
    return { type: "enum", values: (declaration.def.properties ?? []).map(({ name }) => name) };
  }

  function readIndexed(owner: DocType, index: DocType): SettingType {
    const [name] = wordsIn([index]);
    const member = membersOf(owner).find((each) => each.name === name);
    if (!member) throw new Error(`There is no member ${name}.`);
    return member.type;
  }

  /** Returns the members of `Partial<T>`, `Pick<T, names>` or `Omit<T, names>`. */
  function derivedMembers(name: string, [first, second]: DocType[]): Setting[] {
    const members = first ? membersOf(first) : [];
    if (name === "Partial") return members.map((member) => ({ ...member, required: false }));
    const words = second && readType(second, new Map());
    const names: readonly string[] = words?.type === "enum" ? words.values : [];
    return members.filter((member) => names.includes(member.name) === (name === "Pick"));
  }

  /** Takes the members out of a type, which is then no named type. */
  function membersOf(type: DocType, narrowed?: readonly Setting[]): Setting[] {
    const declaration = type.kind === "typeRef" && declarations.get(type.value.typeName);
    const read = declaration ? readDeclaration(declaration, narrowed) : readType(type, new Map());
    if (read.type !== "object") throw new Error("Only an interface has members.");
    return read.members;
  }
}

function wordsIn(types: readonly DocType[]): string[] {
  return types.flatMap((type) => type.kind === "literal" ? type.value.string ?? [] : []);
}

export async function readDeclarations(
  files: readonly string[],
): Promise<ReadonlyMap<string, DocDeclaration>> {
  const declared = await readDoc<DocDeclaration>(files);
  // A file that exports the type of another one refers to it.
  return new Map(declared.filter(([, { kind }]) => kind !== "reference"));
}

function readKeyword(keyword: string, tags: Tags): SettingType {
  if (keyword === "boolean" || keyword === "unknown" || keyword === "null") {
    return { type: keyword };
  }
  if (keyword === "number") return readNumber(tags);
  if (keyword !== "string") throw new Error(`A setting cannot be ${keyword}.`);
  const format = tags.get("format");
  return { type: "string", ...format && { format } } as SettingType;
}

function readNumber(tags: Tags): SettingType {
  const maximum = tags.get("maximum");
  return {
    type: tags.has("integer") ? "integer" : "number",
    minimum: Number(tags.get("minimum") ?? 0),
    ...maximum !== undefined && { maximum: Number(maximum) },
  };
}

function readDuration(tags: Tags): SettingType {
  return {
    type: "duration",
    minimum: parseDuration(tags.get("minimum")) ?? 0,
    maximum: parseDuration(tags.get("maximum")) ?? maxDuration,
  };
}

function tagsOf({ jsDoc }: DocMember): Tags {
  return new Map(
    (jsDoc?.tags ?? []).map(({ value = "" }) => {
      const [, name = "", text = ""] = /^@(\w+)\s*([\s\S]*)$/.exec(value) ?? [];
      return [name, oneLine(text)];
    }),
  );
}

function textOf({ jsDoc }: { jsDoc?: DocMember["jsDoc"] }): string {
  return oneLine(jsDoc?.doc ?? "");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " ");
}
