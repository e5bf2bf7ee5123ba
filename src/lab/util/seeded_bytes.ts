/** The increment of splitmix32, and the two factors that mix its state. */
const increment = 0x9e3779b9;
const factors = [0x21f0aaad, 0x735a2d97] as const;

/** The start and the factor of FNV-1a. */
const hashStart = 0x811c9dc5;
const hashFactor = 0x01000193;

/**
 * Creates a generator of bytes that look random and are the same for the same seed (splitmix32).
 * They protect nothing.
 */
export function createSeededBytes(seed: string | number) {
  const start = hashOf(String(seed));
  let state = start;

  function nextByte(): number {
    state = (state + increment) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, factors[0]);
    mixed = Math.imul(mixed ^ (mixed >>> 15), factors[1]);
    return (mixed ^ (mixed >>> 15)) >>> 24;
  }

  return {
    next: (count: number) => Uint8Array.from({ length: count }, nextByte),
    /** Returns the state, from which the same bytes follow. */
    capture: () => state,
    /** Returns to a captured state, or to the seed. */
    restore(captured = start): void {
      state = captured;
    },
  };
}

function hashOf(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, hashFactor), hashStart);
}
