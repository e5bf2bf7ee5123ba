import { tenantPath } from "../../lab/control/control_path.ts";
import type { RecordedExchange } from "../../lab/recording/lab_event.ts";
import { explainRefusal } from "../../lab/recording/refusal.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { ProgramConfig } from "../configuration/program_config.ts";
import { createEventFormat, type EventFormat, formatEvent } from "../monitoring/log.ts";
import { type Colors, colorsFor, noColors } from "../terminal/color.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Events that an exchange does not show, because they happen apart from requests. */
const shownEvents: ReadonlySet<string> = new Set([
  "fault.fired",
  "clock.moved",
  "outbound.failed",
  "forwarded_header.ignored",
  "logout.failed",
  "ping.failed",
  "key.rotated",
  "key.retired",
  "work.failed",
  "server.failed",
]);

const widths = { request: 34, client: 14, response: 26 };
/** The width of the time and of the space after it. */
const indent = " ".repeat(10);

/** Returns the format of the log: aligned lines for a reader at a lab, events for programs. */
export function chooseLabFormat(
  { log, logLevel = "info" }: ProgramConfig,
  { environment, isInteractive }: Terminal,
  pagesUrl: () => string,
): EventFormat {
  const colors = colorsFor(environment, isInteractive);
  if (log === undefined && (isInteractive || colors !== noColors)) {
    return createLabLog({ colors, pagesUrl });
  }
  const format = createEventFormat(log ?? "text", logLevel);
  // Of a request to a lab, the event `exchange.recorded` says more.
  return (event, ...rest) => event.type === "request.handled" ? undefined : format(event, ...rest);
}

/** Renders the events of a lab for a reader: one aligned line per exchange, and why it failed. */
export function createLabLog({ colors, pagesUrl }: {
  colors: Colors;
  /** The URL below which the pages of the lab are: the issuer, or the address of `--lab-port`. */
  pagesUrl: () => string;
}): EventFormat {
  return (event, at) => {
    if (event.type === "exchange.recorded") return formatExchange(event, at, colors, pagesUrl);
    return shownEvents.has(event.type) ? colors.dim(formatEvent(event, at)) : undefined;
  };
}

function formatExchange(
  exchange: RecordedExchange,
  at: Date,
  colors: Colors,
  pagesUrl: () => string,
): string {
  const { exchange: id, method, path, client = "", flow = "", status, error } = exchange;
  const base = exchange.tenant === undefined ? "" : tenantPath(exchange.tenant);
  const mark = isFailed(exchange) ? colors.bad : colors.good;
  const line = [
    colors.dim(at.toISOString().slice(11, 19)),
    column(`${method} ${base}${path}`, widths.request),
    column(client, widths.client),
    mark(column([status, error].filter((part) => part !== undefined).join(" "), widths.response)),
    ...flow ? [colors.dim(printable(flow))] : [],
  ].join("  ").trimEnd();
  if (!isFailed(exchange)) return line;
  const link = issuerUrl(pagesUrl(), `${base}/lab/flows/request-${id}?exchange=${id}`);
  // The line above has the error.
  const why = explainRefusal({ ...exchange.refusal, error: "" })
    .map((text) => `${indent}${colors.bad(printable(text))}`);
  return [line, ...why, `${indent}${colors.dim(printable(link))}`].join("\n");
}

function isFailed({ status, error }: RecordedExchange): boolean {
  return status === undefined || status >= 400 || error !== undefined;
}

/** Fits text from outside into a column. */
function column(text: string, width: number): string {
  const safe = printable(text);
  return (safe.length > width ? `${safe.slice(0, width - 1)}…` : safe).padEnd(width);
}
