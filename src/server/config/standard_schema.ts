import { isObject } from "../util/text/json.ts";
import { checkValue, type Schema } from "./schema.ts";

/** A schema that loaders of configurations understand (Standard Schema, version 1). */
export interface StandardSchema<T> {
  /** What the specification defines. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Returns the value, or everything that is wrong with its members. */
    validate(value: unknown): { value: T; issues?: undefined } | { issues: SchemaIssue[] };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

/** What is wrong with one member of a value. */
export interface SchemaIssue {
  /** A sentence that begins with the path of the member. */
  message: string;
  /** The names and indexes that lead to the member. */
  path: Array<string | number>;
}

/** Returns a schema as others understand it. */
export function toStandardSchema<T>(schema: Schema): StandardSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "hallpass",
      validate(value) {
        const issues: SchemaIssue[] = [];
        checkValue(schema, value, "", (path, problem) => {
          issues.push({ message: `${path} ${problem}`.trim(), path: segmentsOf(path, value) });
        });
        return issues.length > 0 ? { issues } : { value: value as T };
      },
    },
  };
}

/** Splits the path of a problem: `clients[0].id`. The names of a map may contain dots. */
function segmentsOf(path: string, value: unknown): Array<string | number> {
  if (path === "") return [];
  const [, index, rest = ""] = /^\[(\d+)\](.*)$/s.exec(path) ?? [];
  if (index !== undefined && Array.isArray(value)) {
    return [Number(index), ...segmentsOf(rest, value[Number(index)])];
  }
  const own = path.replace(/^\./, "");
  const members = isObject(value) ? value : {};
  const name = Object.keys(members).find((each) => own === each || /^[.[]/.test(tail(own, each)));
  return name === undefined ? [own] : [name, ...segmentsOf(own.slice(name.length), members[name])];
}

function tail(path: string, name: string): string {
  return path.startsWith(name) ? path.slice(name.length) : "";
}
