import { isObject } from "../../server/util/text/json.ts";

/** Parts of a dialect whose values clients receive: a claim can name where others are. */
const valueParts: readonly string[] = [
  ...["claims", "idToken", "accessToken", "userinfo", "tokenResponse", "authorizationResponse"],
  ...["firstResponse", "errors", "userApis", "accountTypes"],
];

/** The path of a value and what is wrong with it. */
export type PathProblem = readonly [path: string, problem: string];

/** A placeholder without a default, which could contain a URL. */
const placeholder = /\{[a-z]+\}/g;
/** A placeholder in tokens and responses, where it may have a default: `{user.picture|""}`. */
const anyValue = /\{[^{}]*\}/g;
/** An address of the lab: what follows the placeholder cannot change its host. */
const ownAddress = /^\{(?:base|issuer|front|back)\}(?:[/?#].*)?$/s;
/** Such an address anywhere in a text, which could extend its host: `{base}.evil.example`. */
const anyAddress = /\{(?:base|issuer|front|back)\}/;

/** Schemes that parsers read an address from without slashes, or run: `https:evil.example`. */
const foreignScheme = /(?:^|["\s])(?:https?|wss?):|^\s*(?:ftp|file|data|blob|javascript):/i;
/** What parsers leave out of a URL, or take for a slash. */
const repaired = /[\p{Cc}\\]/u;
/** A JWT: `signed_metadata` takes precedence over its document (RFC 8414, section 2.1). */
const signedPart = /eyJ[\w-]+\.[\w-]+\./;

/**
 * Returns what leads clients to other hosts, or from other hosts to the lab. The documents of a
 * preset must name no other host: clients would send it codes and secrets. Nor may tokens and
 * responses. The texts of lists of what is supported are identifiers, such as scopes.
 */
export function hostProblems(plays: Readonly<Record<string, unknown>>): PathProblem[] {
  const { dialect } = plays;
  if (!isObject(dialect)) return [];
  const { documents, hosts } = dialect;
  const list = Array.isArray(documents) ? documents : [];
  return [
    // Pages of such a host could reach the lab (DNS rebinding).
    ...hosts === undefined
      ? []
      : [["dialect.hosts", "is not for a file: it decides which hosts lead to the lab"] as const],
    ...list.flatMap((document, at) =>
      isObject(document)
        ? problemsIn(document.body, `dialect.documents[${at}].body`, isForeignReference)
        : []
    ),
    ...valueParts.flatMap((part) => problemsIn(dialect[part], `dialect.${part}`, isForeignValue)),
  ];
}

/** Returns the texts that lead to another host; `isForeign` knows the name of the member, too. */
function problemsIn(
  value: unknown,
  path: string,
  isForeign: (name: string, text: string) => boolean,
  name = "",
): PathProblem[] {
  if (typeof value === "string") {
    return isForeign(name, value)
      ? [[path, "names another host; only '{base}/…' is an address"]]
      : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      problemsIn(each, `${path}[${at}]`, isForeign, isObject(each) ? name : `${name}[]`)
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, each]) =>
    problemsIn(each, `${path}.${member}`, isForeign, member)
  );
}

/** Whether a text of a document may be an address: lists such as `scopes_supported` have none. */
export function isReference(name: string): boolean {
  return !name.endsWith("_supported[]");
}

function isForeignReference(name: string, text: string): boolean {
  return isReference(name) && namesOtherHost(text);
}

/** Audiences are identifiers, and lists have others. */
function isForeignValue(name: string, text: string): boolean {
  return name !== "aud" && !name.endsWith("[]") && namesOtherHost(text, anyValue);
}

/** Whether a text, in which `{…}` stands for a value, may lead to another host. */
export function namesOtherHost(text: string, values: RegExp = placeholder): boolean {
  const known = text.replace(values, "");
  if (/[{}]/.test(known) || repaired.test(text) || signedPart.test(text)) return true;
  if (ownAddress.test(text)) return false;
  return anyAddress.test(text) ||
    [text, known].some((each) => each.includes("//") || foreignScheme.test(each));
}
