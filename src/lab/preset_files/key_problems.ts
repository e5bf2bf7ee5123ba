import { isObject } from "../../server/util/text/json.ts";
import type { PathProblem } from "./host_problems.ts";

const problem = "has a key: whoever made the file could sign tokens that a test trusts";

/**
 * Returns the keys in a preset: JWKs (RFC 7517, section 4.1), and certificates in PEM. A document
 * of the provider would publish them in place of those of the lab, and a header would name them.
 */
export function keyProblems(value: unknown, path: string): PathProblem[] {
  if (typeof value === "string") return value.includes("-----BEGIN") ? [[path, problem]] : [];
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => keyProblems(each, `${path}[${at}]`));
  }
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, "kty")) return [[path, problem]];
  return Object.entries(value).flatMap(([name, each]) => keyProblems(each, `${path}.${name}`));
}
