import { formType, type WireRequest } from "../recording/exchange.ts";

/** Headers that a client sends on purpose; `curl` makes the others itself. */
const meaningfulHeaders: readonly string[] = [
  "accept",
  "authorization",
  "content-type",
  "cookie",
  "dpop",
  "origin",
];

const plainWord = /^[\w@%+=:,./-]+$/;

/** What a command is made of. */
type PrintedRequest = Pick<WireRequest, "method" | "url" | "headers" | "body" | "form">;

/** Returns the command that sends a request. */
export function toCurl({ method, url, headers, body, form }: PrintedRequest): string {
  const isForm = headers["content-type"]?.startsWith(formType) ?? false;
  const lines = [
    `curl ${shellQuote(url)}`,
    ...needsMethod(method, body) ? [`-X ${shellQuote(method)}`] : [],
    ...headerOptions(headers, isForm),
    ...isForm ? formOptions(form) : [],
    ...!isForm && body !== "" ? [`--data-raw ${shellQuote(body)}`] : [],
  ];
  return lines.join(" \\\n  ");
}

/** A body makes it a POST. */
function needsMethod(method: string, body: string): boolean {
  return method !== (body === "" ? "GET" : "POST");
}

function headerOptions(headers: Record<string, string>, isForm: boolean): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => meaningfulHeaders.includes(name) && value !== "*/*")
    .filter(([name]) => !(isForm && name === "content-type"))
    .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`);
}

function formOptions(form: URLSearchParams): string[] {
  return [...form].map(([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`);
}

/** Quotes a text for a shell, if it needs that. */
export function shellQuote(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
