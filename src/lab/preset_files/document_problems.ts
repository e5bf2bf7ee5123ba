import { isObject } from "../../server/util/text/json.ts";

/** The path of a value and what is wrong with it. */
export type PathProblem = readonly [path: string, problem: string];

/** What stands for a value, as far as a file may use it: no default, from which a URL could come. */
const placeholder = /\{[a-z]+\}/g;
/** An address of the lab: what follows the placeholder cannot change its host. */
const ownAddress = /^\{(?:base|issuer)\}(?:[/?#].*)?$/s;

/**
 * Returns the addresses of other hosts in the documents of a preset. Clients would call them, and
 * send them codes and secrets. The texts of lists are identifiers, such as scopes.
 */
export function documentProblems(plays: Readonly<Record<string, unknown>>): PathProblem[] {
  const { dialect } = plays;
  if (!isObject(dialect) || !Array.isArray(dialect.documents)) return [];
  return dialect.documents.flatMap((document, at) =>
    isObject(document) ? bodyProblems(document.body, `dialect.documents[${at}].body`) : []
  );
}

function bodyProblems(value: unknown, path: string): PathProblem[] {
  if (typeof value === "string") {
    return isForeign(value) ? [[path, "names another host; only '{base}/…' is an address"]] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      typeof each === "string" ? [] : bodyProblems(each, `${path}[${at}]`)
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => bodyProblems(each, `${path}.${name}`));
}

function isForeign(text: string): boolean {
  const known = text.replace(placeholder, "");
  if (/[{}\\]/.test(known)) return true;
  if (ownAddress.test(text)) return false;
  return [text, known].some((each) => each.includes("//")) || /\{(?:base|issuer)\}/.test(text);
}
