/**
 * Builds the site from the documents of the repository, with the playground: static files for the
 * root of a host, or for the path of a URL.
 *
 *   deno task site [FOLDER] [--url URL] [--serve] [--port N]
 */
import { existsSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, posix, relative } from "node:path";
import process from "node:process";
import deno from "../deno.json" with { type: "json" };
import { buildFiles, type BuiltFile, builtPlayground, playgroundScript } from "./built_files.ts";
import { runCommand } from "./child.ts";
import { binary, fetched, forgetFetched } from "./downloads.ts";
import { filesIn } from "./files.ts";
import { findRepository } from "./package_files.ts";
import { capital } from "./references/markdown.ts";
import { currentRelease, withInstallation } from "./references/write_install.ts";

/** Where a site is, and what of it there is. */
export interface SiteFacts {
  /** The URL of the site, with a slash at its end. */
  url: string | undefined;
  repository: string | undefined;
  version: string;
  hasPlayground: boolean;
}

/** A document that has a page. */
interface SiteDocument {
  /** The name of its page, without an ending: `running`. */
  name: string;
  /** What the index calls it, and what its readers want; README and index have no group. */
  label: string;
  group?: string;
  /** Its first paragraph. */
  description: string;
  markdown: string;
}

const minute = 60_000;

/** Returns what a build knows about where it will be: on GitHub, the workflow says it. */
export function siteFacts(
  url: string | undefined,
  environment: Record<string, string | undefined>,
): SiteFacts {
  const declared = (deno as { repository?: string }).repository;
  const repository = findRepository(declared, environment);
  const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  const pages = owner && `https://${owner.toLowerCase()}.github.io/${name}/`;
  const hasPlayground = existsSync(playgroundScript);
  return { url: url ?? pages, repository, version: deno.version, hasPlayground };
}

/** Builds every file of the site but the playground, with VitePress. */
export async function buildSite(facts: SiteFacts): Promise<BuiltFile[]> {
  const vitepress = await fetched("scripts/site/vitepress");
  const folder = join(vitepress, "documents");
  const documents = await readDocuments(facts);
  await rm(folder, { recursive: true, force: true });
  await cp("scripts/site/vitepress", join(folder, ".vitepress"), { recursive: true });
  await writeFile(join(folder, ".vitepress/facts.json"), JSON.stringify({ ...facts, documents }));
  await cp("static/icon.svg", join(folder, "public/icon.svg"));
  for (const path of filesIn(".github", /\.(?:png|svg)$/)) {
    await cp(path, join(folder, "public/pictures", relative(".github", path)));
  }
  for (const { name, markdown } of documents) {
    await writeFile(join(folder, `${name}.md`), markdown);
  }
  const command = ["node_modules/vitepress/bin/vitepress.js", "build", "documents"];
  const { code, output } = await runCommand(
    [await binary("node@24"), ...command],
    { cwd: vitepress, timeout: 5 * minute },
  );
  if (code !== 0) throw new Error(`VitePress cannot build the site:\n${output}`);
  const dist = join(folder, ".vitepress/dist");
  const built = filesIn(dist, /\.\w+$/).map(async (path): Promise<BuiltFile> => ({
    path: relative(dist, path),
    content: new Uint8Array(await readFile(path)),
  }));
  return [
    ...await Promise.all(built),
    ...documents.map(({ name, markdown }) => ({ path: `${name}.md`, content: markdown })),
    { path: "llms.txt", content: indexForAgents(documents, facts) },
  ];
}

/** Reads the README, the index of the documents, and every document that the index lists. */
async function readDocuments({ repository }: SiteFacts): Promise<SiteDocument[]> {
  const release = { ...currentRelease, repository };
  const index = ".github/DOCUMENTS.md";
  const rows = (await readFile(index, "utf8")).matchAll(/^\| ([a-z][\w ]+) \| (.*\.md\).*) \|$/gm);
  const listed = [...rows].flatMap(([, wish = "", cell = ""]) =>
    [...cell.matchAll(/\[([^\]]+)\]\((\w+\.md)\)/g)].map(([, label = "", file = ""]) => ({
      source: `.github/${file}`,
      label: capital(label),
      group: capital(wish),
    }))
  );
  const first = [
    { source: "README.md", label: "Hallpass" },
    { source: index, label: "All documents" },
  ];
  const sources = [index, ...listed.map(({ source }) => source)];
  return await Promise.all(
    [...first, ...listed].map(async ({ source, ...document }) => {
      const written = withInstallation(await readFile(source, "utf8"), release);
      // Neither comments nor badges, which are pictures of other hosts.
      const text = written.replace(/^(?:<!-- .* -->|\[!\[.*)\n/gm, "");
      const [, paragraph = ""] = /^# .*\n+(?:[^\w\n].*\n+)*(.*)$/m.exec(text) ?? [];
      return {
        ...document,
        name: nameOf(source),
        description: paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "")
          // VitePress writes it into an attribute as it is.
          .replaceAll('"', "'"),
        markdown: withLinksOfSite(text, source, sources, repository),
      };
    }),
  );
}

/**
 * Returns a text whose links lead to pages of the site, or else to files of the repository. Without a
 * repository, a link to such a file is its text alone.
 */
function withLinksOfSite(
  text: string,
  source: string,
  sources: readonly string[],
  repository: string | undefined,
): string {
  const links = /(!?)\[([^\]\n]+)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]+)?\)/g;
  return text.replace(links, (_whole, picture, label, path, anchor = "") => {
    const file = posix.join(posix.dirname(source), path);
    if (picture) return `![${label}](/pictures/${posix.relative(".github", file)})`;
    if (["README.md", ...sources].includes(file)) return `[${label}](${nameOf(file)}.md${anchor})`;
    const kind = posix.extname(file) === "" && !file.endsWith("file") ? "tree" : "blob";
    return repository ? `[${label}](${repository}/${kind}/main/${file}${anchor})` : label;
  });
}

function nameOf(source: string): string {
  if (source === "README.md") return "index";
  return basename(source, ".md").toLowerCase().replaceAll("_", "-");
}

function indexForAgents(documents: readonly SiteDocument[], { url = "" }: SiteFacts): string {
  const [front, ...others] = documents.map((document) => ({
    ...document,
    line: `- [${document.label}](${url}${document.name}.md): ` +
      document.description.split(/(?<=\.) /)[0],
  }));
  const groups = Map.groupBy(others, ({ group = "Documents" }) => group);
  const sections = [...groups].map(([group, members]) =>
    `## ${group}\n\n${members.map(({ line }) => line).join("\n")}\n`
  );
  return `# Hallpass\n\n> ${front?.description}\n\n${sections.join("\n")}`;
}

async function buildWithPlayground(url: string | undefined): Promise<BuiltFile[]> {
  const site = await buildSite(siteFacts(url, process.env));
  await forgetFetched();
  const playground = await builtPlayground();
  return [...site, ...playground.map((file) => ({ ...file, path: `playground/${file.path}` }))];
}

if (import.meta.main && !await buildFiles("site", buildWithPlayground)) process.exit(0);
