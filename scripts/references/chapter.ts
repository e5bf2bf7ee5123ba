/** Replaces the generated chapter of a page, which is its last. What stands before it is kept. */
export function withChapter(page: string, heading: string, text: string): string {
  const [written, ...others] = page.split(`\n${heading}\n`);
  if (others.length !== 1) throw new Error(`The page needs one chapter '${heading}'.`);
  return `${written}\n${heading}\n\n${text}\n`;
}
