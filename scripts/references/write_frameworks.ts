/**
 * Writes the document about libraries, from rows that may be told. A row is about somebody else's
 * work: it is here once their project was told by its own policy and has fixed it, has made it
 * public, or has answered, or after 90 days; or if the project's own documents say so.
 */
import { applications } from "../../tests/corpus/applications.ts";
import type { KeptRules } from "../../tests/corpus/kept.ts";
import released from "../../tests/corpus/released.json" with { type: "json" };
import { table } from "./markdown.ts";

/** Why a row may be told. */
const bases: Readonly<Record<string, string>> = {
  documented: "Its own documentation says so",
  fixed: "The project was told, and has fixed it",
  public: "It was public already",
  answered: "The project was told, and has answered",
  "90 days": "The project was told 90 days ago",
};

const introduction = `# What libraries refuse

This page is generated (\`deno task generate\`) from [released.json](../tests/corpus/released.json). It has what an application refuses that is built as the documentation of a library says ([the corpus](../tests/corpus)), and what it lets through. It ranks nobody.

A row is here if the project's own documentation says so, or once the project has fixed, published or answered it, or 90 days after it was told. [How to report a row](../tests/corpus/README.md#tell-a-project-what-we-found).`;

const head = ["What it lets through", "Who can use that", "Whose code it is", "What to do"];

/** Returns the document by its file. */
export function frameworkFiles(): Record<string, string> {
  const sorted = [...released].sort((one, other) => one.framework.localeCompare(other.framework));
  const parts = [introduction, ...sorted.map(sectionOf)];
  return { ".github/FRAMEWORKS.md": `${parts.join("\n\n")}\n` };
}

function sectionOf({ framework, version, basis, source, rows }: (typeof released)[number]): string {
  const reason = bases[basis];
  if (reason === undefined) throw new Error(`${framework}: '${basis}' is no reason to tell a row.`);
  const kept: readonly KeptRules[] =
    applications.find(({ name }) => name.startsWith(framework))?.keeps ?? [];
  const refused = kept.map(({ refuses }) => refuses).filter(Boolean);
  const cells = rows.map(({ finding, usableBy, code, fix }) => [finding, usableBy, code, fix]);
  return [
    `## ${framework} ${version}`,
    ...refused.length > 0 ? [`As the corpus sets it up, it refuses ${refused.join("; ")}.`] : [],
    table(head, cells),
    `${reason}: [source](${source}).`,
  ].join("\n\n");
}
