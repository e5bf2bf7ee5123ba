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
  const marks = {
    signedIn: onlyIn(signedIn, signedOut),
    signedOut: onlyIn(signedOut, signedIn),
  };
  return marks.signedIn.length > 0 ? marks : undefined;
}

/** Whether a page shows more of what those see who are signed in than of what all others see. */
export function showsSignedIn({ signedIn, signedOut }: PageMarks, page: DrillPage): boolean {
  const pieces = page.pieces();
  const share = (marks: readonly string[]) =>
    marks.filter((mark) => pieces.has(mark)).length / Math.max(1, marks.length);
  return share(signedIn) > share(signedOut);
}

/** Returns what all of some pages have, and none of the others. */
export function onlyIn(pages: readonly DrillPage[], otherPages: readonly DrillPage[]): string[] {
  const [first = new Set<string>(), ...more] = pages.map((page) => page.pieces());
  const others = otherPages.map((page) => page.pieces());
  return [...first].filter((piece) =>
    more.every((each) => each.has(piece)) && !others.some((each) => each.has(piece))
  );
}
