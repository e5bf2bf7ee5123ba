/** Whether the `typ` of a JWT is one of the given ones; undefined among them allows none at all. */
export function isJwtType(typ: unknown, allowed: ReadonlyArray<string | undefined>): boolean {
  return allowed.some((each) => mediaTypeOf(each) === mediaTypeOf(typ));
}

/**
 * A `typ` is a media type: letter case means nothing, and "application/" may be left out (RFC 7515,
 * section 4.1.9).
 */
function mediaTypeOf(typ: unknown): unknown {
  if (typeof typ !== "string") return typ;
  const type = typ.toLowerCase();
  return type.includes("/") ? type : `application/${type}`;
}
