/** How a value is nearly the right one: what goes wrong where it is taken, and what it is. */
const kinds = {
  "ends with the right one": [
    "Compares only the end of",
    (right: string) => `https://attacker.example/?${right}`,
  ],
  "has the host of the right one": [
    "Compares only the host of",
    (right: string) => right.replace(/^(https?:\/\/)([^/]+).*/, "$1attacker@$2/attacker"),
  ],
  "begins with the right one": [
    "Compares only the beginning of",
    (right: string) => `${right}-attacker.example`,
  ],
  // A slash at the end may make no difference.
  "is a part of the right one": [
    "Compares only a part of",
    (right: string) => right.replace(/.\/?$/, ""),
  ],
  "is a list with the right one at its end": [
    "Accepts a list as",
    (right: string) => ["https://attacker.example", right],
  ],
  "is empty": ["Accepts an empty value as", () => ""],
  "is null": ["Accepts an empty value as", () => null],
  "is a number": ["Accepts an empty value as", () => 0],
} as const;

export type NearKind = keyof typeof kinds;

/** A value that is not the right one, and that a careless comparison takes for it. */
export interface NearMiss {
  /** What it is, after "a token whose issuer". */
  what: NearKind;
  /** The mistake, before "the issuer". */
  mistake: string;
  value: unknown;
}

/** Returns values that are nearly the right one. The first that is taken names the mistake. */
export function nearMisses(right: string): NearMiss[] {
  return Object.entries(kinds).map(([what, [mistake, make]]) => ({
    what: what as NearKind,
    mistake,
    value: make(right),
  })).filter(({ value }) => value !== right);
}

/** Returns those that are texts. */
export function nearTexts(right: string): Array<NearMiss & { value: string }> {
  return nearMisses(right).flatMap((each) =>
    typeof each.value === "string" && each.value !== "" ? [{ ...each, value: each.value }] : []
  );
}

/** Returns the value that is nearly the right one in some way. */
export function nearValue(right: unknown, kind: NearKind): unknown {
  return kinds[kind][1](String([right].flat()[0]));
}
