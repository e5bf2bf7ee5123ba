/**
 * Writes a JSON value into a message. `String` would call a `toString` that came with the value.
 */
export function showValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "undefined";
}
