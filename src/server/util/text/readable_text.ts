/**
 * Characters that hide, reorder or break the text around them: controls, bidirectional overrides,
 * line separators, zero-width characters and invisible fillers. The two variation selectors of
 * emoji are allowed.
 */
const deceptive =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0]/u;

/** Whether a user sees a text as it is: visible, and without deceptive characters. */
export function isReadable(text: string): boolean {
  return /\S/u.test(text) && !deceptive.test(text);
}
