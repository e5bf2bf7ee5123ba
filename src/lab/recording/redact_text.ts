import { secretsOfFeatures } from "../../server/features.ts";
import { decodeForm } from "../../server/protocol/form_parameters.ts";
import { readJwt } from "./credentials.ts";

/** What parameters and members are called whose values are secrets. */
export const secretNames: readonly string[] = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "access_token",
  "refresh_token",
  "id_token",
  "id_token_hint",
  "token",
  "device_secret",
  "request_uri",
  "password",
  "form_token",
  "response",
  "api_key",
  ...secretsOfFeatures,
];

/** What replaces a secret. */
export const redacted = "[redacted]";

const spelledAlike = new Set(secretNames.map(letters));
/** The endings of headers that carry a credential, such as X-API-Key. */
const secretHeader = /(?:^|-)(?:authorization|api-?key|token|secret|password)$/i;

/** Deeper than any flow nests one URL in another. */
const maxDepth = 5;

/** A parameter of a URL, whose name may be percent-encoded. */
const parameterOfUrl = /(^|[?&#])([^?&#=\s]+)=([^&#\s]+)/g;
/** A parameter of a form, which only `&` ends. */
const parameterOfForm = /(^|&)([^&=]+)=([^&]+)/g;
/**
 * A parameter of a URL within JSON, HTML or a sentence, where a quote ends the URL and `&` may be
 * `&amp;`. What closes a quotation or a bracket before a space is the sentence's.
 */
const parameterInText =
  /(^|[?&#;])([^?&#;=\s"<>]+)=([^&#\s"<>]+?)(?=['’”»)]{1,2}[.,;:]?(?:[\s"<>]|$)|[&#\s"<>]|$)/g;

const jsonText = `[^"\\\\]*(?:\\\\[\\s\\S][^"\\\\]*)*`;
/** A member of JSON whose value is a text. */
const jsonMember = new RegExp(`"(${jsonText})"(\\s*:\\s*")${jsonText}`, "g");
const anySecret = `(?:${secretNames.join("|")})`;
const jsonList = new RegExp(`("${anySecret}"\\s*:\\s*)\\[[^\\]]*\\]?`, "g");
const htmlField = new RegExp(`(name="${anySecret}" value=")[^"]*`, "g");
/** A part of a multipart form, which may be the last one. */
const partOfForm =
  /(\bname="?([^"\s;]+)"?[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;

/**
 * Whether the value of a parameter or member with this name is a secret. A client that misspells
 * the name, as `clientSecret` or `code[]`, still sends its secret.
 */
export function isSecret(name: string): boolean {
  return spelledAlike.has(letters(name));
}

export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

/** Redacts JSON, HTML, a URL, or a sentence with a URL in it. */
export function redactText(text: string, depth = 0): string {
  return text.replace(parameterInText, hideParameter(depth))
    .replace(jsonMember, hideMember)
    .replace(jsonList, `$1["${redacted}"]`)
    .replace(htmlField, `$1${redacted}`);
}

export function redactUrl(text: string): string {
  return text.replace(parameterOfUrl, hideParameter(0));
}

/** Redacts a body, whose media type may be wrong, or missing. */
export function redactBody(text: string): string {
  if (isJson(text)) return redactText(text);
  const isMultipart = text.startsWith("--") && /content-disposition/i.test(text);
  if (isMultipart) return text.replace(partOfForm, hidePart);
  return text.replace(parameterOfForm, hideParameter(0));
}

/**
 * Redacts the decoded parameters of a query or form. JSON with the type of a form is one of them.
 */
export function redactFields(fields: URLSearchParams): URLSearchParams {
  const [[first = ""] = []] = fields;
  if (isJson(first)) {
    const decoded = [...fields].map(([name, value]) => value === "" ? name : `${name}=${value}`);
    return new URLSearchParams({ [redactText(decoded.join("&"))]: "" });
  }
  return new URLSearchParams([...fields].map(([name, value]) => [
    redactText(name),
    value !== "" && isSecret(name) ? redacted : redactWithin(value, 0),
  ]));
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function hideParameter(depth: number) {
  return (all: string, mark: string, name: string, value: string): string => {
    if (isSecret(decodeForm(name) ?? name)) return `${mark}${name}=${redacted}`;
    const text = decodeForm(value) ?? value;
    const hidden = redactWithin(text, depth);
    if (hidden === text) return all;
    return `${mark}${name}=${new URLSearchParams({ "": hidden }).toString().slice(1)}`;
  };
}

/** A value may be a URL, such as a redirect URI, or a signed request that has a secret in it. */
function redactWithin(text: string, depth: number): string {
  if (depth >= maxDepth) return /[=%]/.test(text) ? redacted : text;
  if (text.startsWith("eyJ")) return isSecretJwt(text) ? redacted : text;
  const hidden = redactText(text, depth + 1);
  if (hidden !== text || !text.includes("%")) return hidden;
  const decoded = decodeForm(text) ?? text;
  const hiddenWithin = decoded === text ? text : redactWithin(decoded, depth + 1);
  return hiddenWithin === decoded ? text : hiddenWithin;
}

function isSecretJwt(text: string): boolean {
  const { claims } = readJwt(text) ?? {};
  if (claims === undefined) return false;
  const content = JSON.stringify(claims);
  return redactText(content) !== content;
}

/** The quote that ends the value stays behind the match. */
function hideMember(all: string, name: string, between: string): string {
  return isSecret(spelledName(name)) ? `"${name}"${between}${redacted}` : all;
}

/** JSON may spell any letter as an escape. */
function spelledName(name: string): string {
  if (!name.includes("\\")) return name;
  return name.replace(
    /\\u([\da-fA-F]{4})/g,
    (_, code) => String.fromCharCode(parseInt(code, 16)),
  );
}

function hidePart(all: string, head: string, name: string): string {
  return isSecret(name) ? `${head}${redacted}` : all;
}
