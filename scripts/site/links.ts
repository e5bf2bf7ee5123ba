import { posix } from "node:path";
import type { SiteDocument } from "./documents.ts";
import type { LinkTargets } from "./render_document.ts";

/** What links of a document lead to, in its page and in its Markdown. */
export interface SiteLinks extends LinkTargets {
  /** Returns the Markdown with links that work on the site. */
  rewrite(markdown: string): string;
}

/**
 * Returns where the links of a document lead: to another page, or else to the file in the
 * repository. Without a repository, a link to such a file is its text alone.
 */
export function linksOf(
  { source }: SiteDocument,
  documents: readonly SiteDocument[],
  repository: string | undefined,
): SiteLinks {
  const names = new Map(documents.map((document) => [document.source, document.name]));

  function resolve(target: string, ending: string): string | undefined {
    if (/^(?:[a-z]+:|#)/.test(target)) return target;
    const [path = "", anchor] = target.split("#");
    const file = posix.join(posix.dirname(source), path);
    const fragment = anchor === undefined ? "" : `#${anchor}`;
    if (file === "README.md") return "index.html";
    const name = names.get(file);
    if (name !== undefined) return `${name}.${ending}${fragment}`;
    const kind = posix.extname(file) === "" && !file.endsWith("file") ? "tree" : "blob";
    return repository && `${repository}/${kind}/main/${file}${fragment}`;
  }

  return {
    link: (target) => resolve(target, "html"),
    picture: (target) =>
      `pictures/${posix.relative(".github", posix.join(posix.dirname(source), target))}`,
    rewrite: (markdown) =>
      markdown.replace(/(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)/g, (_whole, label, target) => {
        const resolved = resolve(target, "md");
        return resolved === undefined ? label : `[${label}](${resolved})`;
      }),
  };
}
