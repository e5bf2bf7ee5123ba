/**
 * Characters that hide, reorder or break what surrounds them: controls, bidirectional overrides,
 * line separators, zero-width characters, and fillers that look like nothing at all. The two
 * variation selectors that emoji use are not among them.
 */
const deceptive =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0]/u;

/**
 * Whether a person sees a text as it is: something visible, and nothing that hides or turns it
 * around.
 */
export function isReadable(text: string): boolean {
  return /\S/u.test(text) && !deceptive.test(text);
}
