import { buttonsIn, linksIn, textOf } from "../../util/html_forms.ts";
import type { ApplicationPage } from "./application_browser.ts";

/** What an open page shows to those who are signed in, and what to all others. */
export interface PageMarks {
  signedIn: readonly string[];
  signedOut: readonly string[];
}

/** Pages of one URL, by who saw them, in the order of the visits: one more of each, in turn. */
export interface PageVisits {
  signedOut: readonly ApplicationPage[];
  signedIn: readonly ApplicationPage[];
}

/**
 * Returns how a page differs for those who are signed in, or undefined if it shows them nothing of
 * their own. What differs between two visits of the same user is ignored; as the visits take turns,
 * so is what changes with the time.
 */
export function compareVisits({ signedOut, signedIn }: PageVisits): PageMarks | undefined {
  const marks = {
    signedIn: onlyIn(signedIn.map(piecesOf), signedOut.map(piecesOf)),
    signedOut: onlyIn(signedOut.map(piecesOf), signedIn.map(piecesOf)),
  };
  return marks.signedIn.length > 0 ? marks : undefined;
}

/** Whether a page shows more of what those see who are signed in than of what all others see. */
export function showsSignedIn({ signedIn, signedOut }: PageMarks, page: ApplicationPage): boolean {
  const pieces = piecesOf(page);
  const share = (marks: readonly string[]) =>
    marks.filter((mark) => pieces.has(mark)).length / Math.max(1, marks.length);
  return share(signedIn) > share(signedOut);
}

/** The words of a page, also of JSON, and where its links and buttons lead. */
export function piecesOf({ html, url }: ApplicationPage): ReadonlySet<string> {
  const targets = [
    ...linksIn(html, url).map(({ href }) => href),
    ...buttonsIn(html, url).map((button) => button.url),
  ];
  const words = textOf(html).split(/[^\p{L}\p{N}@._-]+/u).filter(Boolean);
  return new Set([...words, ...targets.map((target) => `href=${target}`)]);
}

function onlyIn(
  [first = new Set(), ...more]: ReadonlyArray<ReadonlySet<string>>,
  others: ReadonlyArray<ReadonlySet<string>>,
): string[] {
  return [...first].filter((piece) =>
    more.every((each) => each.has(piece)) && !others.some((each) => each.has(piece))
  );
}
