export const megabyte: number = 1024 * 1024;

/**
 * What runtimes need for each text, member and object, in bytes: rather too much than too little.
 */
const ofText = 24;
const ofMember = 16;
const ofObject = 64;

/** Estimates how much memory plain data takes, in bytes. */
export function heldBytes(value: unknown): number {
  if (typeof value === "string") return ofText + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return ofObject + value.byteLength;
  let sum = ofObject;
  if (Symbol.iterator in value) {
    for (const part of value as Iterable<unknown>) sum += ofMember + heldBytes(part);
    return sum;
  }
  // A list of entries would take longer than what it lists.
  for (const name of Object.keys(value)) {
    sum += 2 * ofMember + heldBytes(name) + heldBytes((value as Record<string, unknown>)[name]);
  }
  return sum;
}
