export interface CacheLimits {
  min: number;
  max: number;
  /** Where the answer says nothing. */
  byDefault: number;
}

/** For how many seconds an answer may be kept, by what it says itself and within bounds (RFC 9111, section 5.2.2). */
export function cacheLifetime(headers: Headers, { min, max, byDefault }: CacheLimits): number {
  const control = headers.get("Cache-Control")?.toLowerCase() ?? "";
  if (/\bno-(store|cache)\b/.test(control)) return min;
  const [, seconds] = /\bmax-age=(\d{1,10})\b/.exec(control) ?? [];
  return seconds === undefined ? byDefault : Math.min(max, Math.max(min, Number(seconds)));
}
