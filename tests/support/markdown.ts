import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A block of code in a document. */
export interface CodeBlock {
  language: string;
  code: string;
  /** The file that the last link before the block leads to. */
  file: string | undefined;
}

/** The files that a document links to, from the root of the repository. */
export function linkedFiles(path: string, text: string = readFileSync(path, "utf8")): string[] {
  const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^https?:/.test(target))
    .map((target) => join(dirname(path), target));
}

/** Returns what is wrong with the links and the table of contents of a document. */
export function documentProblems(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const anchors = anchorsIn(text);
  const own = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
  return [
    ...linkedFiles(path).filter((file) => !existsSync(file)).map((file) => `${file} is missing`),
    ...misnamedLinks(text),
    ...missingAnchors(path, text),
    ...own.filter((anchor) => !anchors.includes(anchor)).map((anchor) => `#${anchor} is missing`),
    ...sectionsOutsideContents(text),
  ];
}

/** The blocks of code of a document, each with the file it shows. */
export function codeBlocks(path: string): CodeBlock[] {
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map((match) => ({
    language: match[1] ?? "",
    code: match[2] ?? "",
    file: linkedFiles(path, text.slice(0, match.index)).at(-1),
  }));
}

function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title));
}

/** Links into other documents, where no heading has the anchor. */
function missingAnchors(path: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:]+\.md)#([^)]+)\)/g)]
    .filter(([, target = "", anchor = ""]) => {
      const file = join(dirname(path), target);
      return existsSync(file) && !anchorsIn(readFileSync(file, "utf8")).includes(anchor);
    })
    .map(([link]) => `${link} has no such heading`);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}

/** A link that looks like the name of a file must lead to a file of that name. */
function misnamedLinks(text: string): string[] {
  return [...text.matchAll(/\[([\w.]+\.[a-z]\w*)\]\(([^)]+)\)/g)]
    .filter(([, label, target = ""]) => label !== basename(target))
    .map(([link]) => `${link} has another name`);
}

/** A table of contents is complete. A short document needs none. */
function sectionsOutsideContents(text: string): string[] {
  if (!text.includes("\n## Contents\n")) return [];
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title)
    .filter((title) => title !== "Contents");
  const wanted = sections.map((title) => `- [${title}](#${anchorOf(title)})`);
  const entries = [...text.matchAll(/^- \[.+\]\(#[\w-]+\)$/gm)].map(([entry]) => entry);
  if (wanted.join() === entries.join()) return [];
  return [`the table of contents should be\n${wanted.join("\n")}`];
}
