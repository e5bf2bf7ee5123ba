import type { DrillPage } from "./drill_browser.ts";

/** What an open page shows to those who are signed in, and what to all others. */
export interface PageMarks {
  signedIn: readonly string[];
  signedOut: readonly string[];
}

/** Pages of one URL, by who saw them, in the order of the visits: one more of each, in turn. */
export interface PageVisits {
  signedOut: readonly DrillPage[];
  signedIn: readonly DrillPage[];
}

/**
 * Returns how a page differs for those who are signed in, or undefined if it shows them nothing of
 * their own. What differs between two visits of the same user is ignored; as the visits take turns,
 * so is what changes with the time.
 */
export function compareVisits({ signedOut, signedIn }: PageVisits): PageMarks | undefined {
  const marks = [piecesOf, phrasesOf].map((read) => ({
    signedIn: onlyIn(signedIn, signedOut, read),
    signedOut: onlyIn(signedOut, signedIn, read),
  }));
  return marks.find((each) => each.signedIn.length > 0);
}

/** Whether a page shows more of what those see who are signed in than of what all others see. */
export function showsSignedIn({ signedIn, signedOut }: PageMarks, page: DrillPage): boolean {
  const pieces = new Set([...piecesOf(page), ...phrasesOf(page)]);
  const share = (marks: readonly string[]) =>
    marks.filter((mark) => pieces.has(mark)).length / Math.max(1, marks.length);
  return share(signedIn) > share(signedOut);
}

function piecesOf(page: DrillPage): ReadonlySet<string> {
  return page.pieces();
}

/** Two words each: "Logged in" and "Log out" have the words of "Logged out" and "Log in". */
function phrasesOf(page: DrillPage): ReadonlySet<string> {
  const words = page.words();
  return new Set(words.map((word, at) => `${word} ${words[at + 1] ?? ""}`));
}

/** Returns what all of some pages have, and none of the others. */
export function onlyIn(
  pages: readonly DrillPage[],
  otherPages: readonly DrillPage[],
  read = piecesOf,
): string[] {
  const [first = new Set<string>(), ...more] = pages.map(read);
  const others = otherPages.map(read);
  return [...first].filter((piece) =>
    more.every((each) => each.has(piece)) && !others.some((each) => each.has(piece))
  );
}
