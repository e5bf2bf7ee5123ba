import type { ClientConfig } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Content } from "../../server/pages/frame.tsx";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import type { EndpointSource } from "../dialect/lab_endpoints.ts";
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

/** Returns the command that sends a request. */
export function toCurl(
  { method, url, headers, body, form }: Omit<WireRequest, "path" | "query">,
): string {
  const isForm = headers["content-type"]?.startsWith(formType) ?? false;
  // A body makes it a POST.
  const usual = body === "" ? "GET" : "POST";
  const shown = Object.entries(headers)
    .filter(([name, value]) => meaningfulHeaders.includes(name) && value !== "*/*")
    .filter(([name]) => !(isForm && name === "content-type"));
  const fields = isForm ? [...form] : [];
  const lines = [
    `curl ${shellQuote(url)}`,
    ...method === usual ? [] : [`-X ${shellQuote(method)}`],
    ...shown.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...fields.map(([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`),
    ...!isForm && body !== "" ? [`--data-raw ${shellQuote(body)}`] : [],
  ];
  return lines.join(" \\\n  ");
}

/** A command that does something in the role of a client. */
export interface ClientCommand {
  what: string;
  text: string;
  /** A remark on the command. */
  note?: Content;
}

export interface CommandSource extends EndpointSource {
  readonly context: Context;
}

/** Returns the command of a client, or none. */
export type MakeCommand = (
  source: CommandSource,
  client: ClientConfig,
) => ClientCommand[] | Promise<ClientCommand[]>;
