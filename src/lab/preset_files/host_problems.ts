import { isObject } from "../../server/util/text/json.ts";

/** Parts of a dialect whose values clients receive: a claim can name where others are. */
const valueParts: readonly string[] = [
  ...["claims", "idToken", "accessToken", "userinfo", "tokenResponse", "authorizationResponse"],
  ...["firstResponse", "errors", "userApis"],
];

/** The path of a value and what is wrong with it. */
export type PathProblem = readonly [path: string, problem: string];

/** What stands for a value, as far as a file may use it: no default, from which a URL could come. */
const placeholder = /\{[a-z]+\}/g;
/** An address of the lab: what follows the placeholder cannot change its host. */
const ownAddress = /^\{(?:base|issuer|front|back)\}(?:[/?#].*)?$/s;
/** The same anywhere, after which a host could be completed. */
const anyAddress = /\{(?:base|issuer|front|back)\}/;

/**
 * Returns what leads clients to other hosts, or from other hosts to the lab. The documents of a
 * preset must name no other host: clients would send it codes and secrets. The texts of lists are
 * identifiers, such as scopes.
 */
export function hostProblems(plays: Readonly<Record<string, unknown>>): PathProblem[] {
  const { dialect } = plays;
  if (!isObject(dialect)) return [];
  const documents = Array.isArray(dialect.documents) ? dialect.documents : [];
  return [
    ...dialect.hosts === undefined
      ? []
      : [["dialect.hosts", "is not for a file: it decides which hosts lead to the lab"] as const],
    ...documents.flatMap((document, at) =>
      isObject(document)
        ? bodyProblems(document.body, `dialect.documents[${at}].body`, isForeign)
        : []
    ),
    ...valueParts.flatMap((part) => bodyProblems(dialect[part], `dialect.${part}`, leadsAway)),
  ];
}

function bodyProblems(
  value: unknown,
  path: string,
  isWrong: (text: string) => boolean,
): PathProblem[] {
  if (typeof value === "string") {
    return isWrong(value) ? [[path, "names another host; only '{base}/…' is an address"]] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      typeof each === "string" ? [] : bodyProblems(each, `${path}[${at}]`, isWrong)
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).filter(([name]) => name !== "aud")
    .flatMap(([name, each]) => bodyProblems(each, `${path}.${name}`, isWrong));
}

/** Values of claims may have a default: `{user.email|null}`. */
function leadsAway(text: string): boolean {
  const known = text.replace(/\{[^}]*\}/g, "");
  const isOwn = !anyAddress.test(text) || ownAddress.test(text);
  return !isOwn || text.includes("\\") || [text, known].some((each) => each.includes("//"));
}

function isForeign(text: string): boolean {
  const known = text.replace(placeholder, "");
  if (/[{}\\]/.test(known)) return true;
  if (ownAddress.test(text)) return false;
  return [text, known].some((each) => each.includes("//")) || anyAddress.test(text);
}
