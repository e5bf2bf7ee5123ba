/** The place of a request in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** The trace, as 32 hexadecimal digits. */
  traceId: string;
  /** The span of the caller, as 16 hexadecimal digits; undefined if the trace begins here. */
  parentId?: string | undefined;
  /** The trace flags; bit 1 is set if the caller records the trace. */
  flags: number;
}

/** `version-traceid-parentid-flags` (W3C Trace Context, section 3.2). */
const traceparent = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/**
 * Parses a `traceparent` header. A version that we don't know may append fields; version `ff`, and
 * ids that are all zeros, are invalid (W3C Trace Context, sections 3.2.2 and 4).
 */
export function parseTraceparent(header: string | null): TraceContext | undefined {
  const [, version, traceId = "", parentId = "", flags = "", more] =
    traceparent.exec(header?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff") return undefined;
  if (version === "00" && more !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, flags: Number.parseInt(flags, 16) };
}
