import { isObject } from "../../../server/util/text/json.ts";
import { readJwt } from "../../recording/credentials.ts";

/** The path of a value and what is wrong with it. */
export type PathProblem = readonly [path: string, problem: string];

/** Settings that extend the address of the lab, and so must begin a path. */
const pathSetting =
  /^dialect\.(?:issuerPath|certificates|accountTypes\.paths\[\d+\]|\w+\[\d+\]\.path)$/;
const plainPath = /^(?=\/)(?:\/[\w.~!$&'()*+,;=:@%{}-]+)*\/?$/;
const plainSegment = /^[\w.~-]+$/;
/** Settings and claims whose texts name an API or a right, and lead nowhere. They may be URLs. */
const identifiers = "aud|audience|userinfoAudience|scp|scope|\\w*scopes";
const identifier = new RegExp(`^(?:${identifiers})(?:\\[\\])?$`, "i");
/** A placeholder with what such a text set, which must not become an address: `{token.aud}`. */
const identifierValue = new RegExp(`[{|:.](?:${identifiers})[|}]`, "i");

/** A placeholder without a default, which could contain a URL. */
const placeholder = /\{[a-z]+\}/g;
/** A placeholder in tokens and responses, where it may have a default: `{user.picture|""}`. */
const anyValue = /\{[^{}]*\}/g;
const oneValue = /^\{[^{}]*\}$/;
/** Identifiers that the lab derives consist of letters and digits. */
const derivedValue = /\{(?:uuid|number|hex):[^{}|]*\}/g;
/** An address of the lab: what follows the placeholder cannot change its host. */
const ownAddress = /^\{(?:base|issuer|front|back)\}(?:[/?#].*)?$/s;
/** Such an address anywhere in a text, which could extend its host: `{base}.evil.example`. */
const anyAddress = /\{(?:base|issuer|front|back)\}/;
/** How addresses of other hosts begin, and JWTs. */
const beginnings = ["//", "http:", "https:", "ws:", "wss:", "ftp:", "file:", "javascript:", "ey"];

/** Schemes that parsers read an address from without slashes, or run: `https:evil.example`. */
const foreignScheme = /(?:^|["\s])(?:https?|wss?):|^\s*(?:ftp|file|data|blob|javascript):/i;
/** What parsers leave out of a URL, or take for a slash. */
const repaired = /[\p{Cc}\\]/u;
/** A JWT: `signed_metadata` takes precedence over its document (RFC 8414, section 2.1). */
const signedPart = /eyJ[\w-]+\.[\w-]+\./;

/**
 * Returns what leads clients to other hosts, or from other hosts to the lab. Clients would send
 * codes and secrets to what documents, tokens and responses name. The texts of lists of what is
 * supported are identifiers, such as scopes.
 */
export function hostProblems(plays: Readonly<Record<string, unknown>>): PathProblem[] {
  const { dialect } = plays;
  if (!isObject(dialect)) return [];
  const { hosts, ...others } = dialect;
  // Pages of such a host could reach the lab (DNS rebinding).
  const foreignHosts: PathProblem[] = hosts === undefined
    ? []
    : [["dialect.hosts", "is not for a file: it decides which hosts lead to the lab"]];
  return [...foreignHosts, ...headerProblems(others), ...problemsIn(others, "dialect")];
}

/** A response of another type could be a page, whose scripts would reach the lab. */
function headerProblems({ userApis }: Readonly<Record<string, unknown>>): PathProblem[] {
  const apis = Array.isArray(userApis) ? userApis : [];
  return apis.flatMap((api, at) => {
    const headers = isObject(api) && isObject(api.headers) ? Object.keys(api.headers) : [];
    const others = headers.filter((name) => !/^x-[a-z-]+$/i.test(name));
    const problem = "is not for a file, unless it begins with X-";
    return others.map((name) => [`dialect.userApis[${at}].headers.${name}`, problem] as const);
  });
}

/** Returns the texts that lead to another host. */
function problemsIn(value: unknown, path: string, name = ""): PathProblem[] {
  if (typeof value === "string") {
    const problem = textProblem(value, path, name);
    return problem === undefined ? [] : [[path, problem]];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      problemsIn(each, `${path}[${at}]`, isObject(each) ? name : `${name}[]`)
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value)
    .flatMap(([member, each]) => problemsIn(each, `${path}.${member}`, member));
}

function textProblem(text: string, path: string, name: string): string | undefined {
  if (pathSetting.test(path)) {
    return plainPath.test(text) ? undefined : "must be a path such as '/a/b'";
  }
  if (path === "dialect.tenant") {
    return plainSegment.test(text) ? undefined : "must be one segment of a path, without escapes";
  }
  // Of a document, lists such as `scopes_supported` have no address.
  const isForeign = path.startsWith("dialect.documents[")
    ? !name.endsWith("_supported[]") && namesOtherHost(text)
    : !identifier.test(name) && (identifierValue.test(text) || namesOtherHost(text, anyValue));
  return isForeign ? "names another host; only '{base}/…' is an address" : undefined;
}

/** Whether a text, in which `{…}` stands for a value, may lead to another host. */
function namesOtherHost(text: string, values: RegExp = placeholder): boolean {
  const known = text.replace(values, "");
  if (/[{}]/.test(known) || repaired.test(text) || hasJwt(text, values)) return true;
  if (ownAddress.test(text)) return false;
  return anyAddress.test(text) || mayBecomeAddress(text, values) ||
    [text, known].some((each) => each.includes("//") || foreignScheme.test(each));
}

function hasJwt(text: string, values: RegExp): boolean {
  return signedPart.test(text) || readJwt(text.replace(values, "e30").trim()) !== undefined;
}

/** Whether the values in a text may complete an address that it begins: `h{user.z|"ttps:"}…`. */
function mayBecomeAddress(text: string, values: RegExp): boolean {
  const [beginning = "", ...rest] = text.replace(derivedValue, "x").split(values);
  if (rest.length === 0 || oneValue.test(text)) return false;
  const start = beginning.trimStart().toLowerCase();
  return beginnings.some((each) => each.startsWith(start) || start.startsWith(each));
}
