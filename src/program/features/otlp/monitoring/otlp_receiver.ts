import { hasUserInformation, isWebUrl, parseUrl } from "../../../../server/util/addresses/uri.ts";
import type { Environment } from "../../../terminal/terminal.ts";

/**
 * Reads where messages go. Returns why they cannot, without the values of the variables, which may
 * hold secrets.
 */
export function readReceiver(
  endpoint: string,
  { OTEL_EXPORTER_OTLP_HEADERS: given }: Environment,
) {
  const url = isWebUrl(endpoint) && !hasUserInformation(endpoint) ? parseUrl(endpoint) : undefined;
  if (!url) {
    return "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL without a user name. Put " +
      "credentials into OTEL_EXPORTER_OTLP_HEADERS.";
  }
  const headers = { ...readList(given), "Content-Type": "application/json" };
  if (!canSend(headers)) {
    return "OTEL_EXPORTER_OTLP_HEADERS has a header that cannot be sent.";
  }
  const { origin, pathname, search } = url;
  const shown = `${origin}${pathname.replace(/\/+$/, "")}`;
  return {
    /** Its address without the query, which may hold a secret. */
    shown,
    headers,
    /** Returns the address of one kind of messages. */
    urlFor: (signal: "traces" | "metrics") => `${shown}/v1/${signal}${search}`,
    /** Returns what may be shown of an error, which may repeat the address. */
    toShow: (problem: string) => search === "" ? problem : problem.replaceAll(search, ""),
  };
}

/** Reads `name=value,name=value`, where values are percent-encoded. */
export function readList(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").filter((pair) => pair.includes("=")).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), decodeValue(pair.slice(at + 1).trim())];
    }),
  );
}

/** A value with a lone percent sign is taken as it is. */
function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function canSend(headers: Record<string, string>): boolean {
  try {
    return [...new Headers(headers)].every(([, value]) => !/[\r\n\0]/.test(value));
  } catch {
    return false;
  }
}
