/** Notes that a DPoP proof was used. True the first time; it must remember until then, in milliseconds. */
export type NoteProof = (id: string, until: number) => boolean | Promise<boolean>;

/** Remembers the proofs that this process has seen, for as long as they could be sent again (RFC 9449, section 11.1). */
export function createProofMemory(now: () => number): NoteProof {
  const seen = new Map<string, number>();
  return (id, until) => {
    // They come in the order in which they end, but for a minute or two.
    for (const [each, end] of seen) {
      if (end > now()) break;
      seen.delete(each);
    }
    if (seen.has(id)) return false;
    seen.set(id, until);
    return true;
  };
}
