import { readFile } from "node:fs/promises";
import { basename } from "node:path";

/** A document of the repository that has a page. */
export interface SiteDocument {
  /** Its path in the repository: `.github/RUNNING.md`. */
  source: string;
  /** The name of its page, without an ending: `running`. */
  name: string;
  /** What the README calls it. */
  label: string;
}

/** Documents for readers who want the same. */
export interface DocumentGroup {
  title: string;
  documents: SiteDocument[];
}

/** The documents, by what their readers want, and what the front page says. */
export interface SiteContent {
  groups: readonly DocumentGroup[];
  title: string;
  /** The first paragraph of the README. */
  lead: string;
}

/** Reads the README, whose first table leads to every document. */
export async function readContent(): Promise<SiteContent> {
  const readme = await readFile("README.md", "utf8");
  const [, title = "", lead = ""] = /^# (.+)\n\n(.+)\n/.exec(readme) ?? [];
  const rows = readme.matchAll(/^\| ([a-z][\w ]+) \| (.*\.github\/.*) \|$/gm);
  const groups = [...rows].map(([, wish = "", cell = ""]) => ({
    title: wish.replace(/^./, (letter) => letter.toUpperCase()),
    documents: [...cell.matchAll(/\[([^\]]+)\]\((\.github\/\w+\.md)\)/g)]
      .map(([, label = "", source = ""]) => ({ source, name: nameOf(source), label })),
  }));
  return { groups, title, lead };
}

function nameOf(source: string): string {
  return basename(source, ".md").toLowerCase().replaceAll("_", "-");
}
