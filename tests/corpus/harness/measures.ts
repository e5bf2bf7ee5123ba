/** The limits that stand beside the numbers. Those of `atLeast` only rise, those of `atMost` only fall. */
export interface Limits {
  atLeast: Readonly<Record<string, number>>;
  atMost: Readonly<Record<string, number>>;
}

/** The numbers of a run, which it prints. */
export class Measures {
  readonly #values = new Map<string, number>();

  /** Prints a number, or a share of a whole. */
  add(name: string, value: number, of?: number): void {
    this.#values.set(name, value);
    const rounded = Number.isInteger(value) ? String(value) : value.toFixed(2);
    const share = of === undefined ? "" : ` of ${of}${of > 0 ? percentOf(value, of) : ""}`;
    console.log(`${name.padEnd(60)} ${rounded}${share}`);
  }

  /** Returns what is beyond its limit. */
  problems({ atLeast, atMost }: Limits): string[] {
    const beyond = (
      limits: Limits["atMost"],
      isBeyond: (value: number, limit: number) => boolean,
    ) =>
      Object.entries(limits).flatMap(([name, limit]) => {
        const value = this.#values.get(name);
        if (value === undefined) return [`${name} was not measured`];
        return isBeyond(value, limit) ? [`${name}: ${value}, and the limit is ${limit}`] : [];
      });
    return [
      ...beyond(atLeast, (value, limit) => value < limit),
      ...beyond(atMost, (value, limit) => value > limit),
    ];
  }
}

function percentOf(value: number, whole: number): string {
  return ` (${Math.round(100 * value / whole)} %)`;
}
