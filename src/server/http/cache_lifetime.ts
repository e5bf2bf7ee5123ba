/** The limits of a cache lifetime, in seconds. */
export interface CacheLimits {
  min: number;
  max: number;
  /** The lifetime of a response that does not state one. */
  byDefault: number;
}

/** Returns how long a response may be cached, in seconds (RFC 9111, section 5.2.2). */
export function cacheLifetime(headers: Headers, { min, max, byDefault }: CacheLimits): number {
  const control = headers.get("Cache-Control")?.toLowerCase() ?? "";
  if (/\bno-(store|cache)\b/.test(control)) return min;
  const [, seconds] = /\bmax-age=(\d{1,10})\b/.exec(control) ?? [];
  return seconds === undefined ? byDefault : Math.min(max, Math.max(min, Number(seconds)));
}
