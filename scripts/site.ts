/**
 * Builds the site from the documents of the repository, with the playground: static files for any
 * host, at the root or below a path.
 *
 *   deno task site [FOLDER] [--url URL] [--serve] [--port N]
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { renderToString } from "preact-render-to-string";
import deno from "../deno.json" with { type: "json" };
import {
  type BuiltFile,
  builtPlayground,
  playgroundScript,
  serveFiles,
  writeFiles,
} from "./built_files.ts";
import { minify } from "./bundle.ts";
import { findRepository } from "./package_files.ts";
import { currentRelease, installation } from "./references/write_install.ts";
import { takeCards } from "./site/cards.ts";
import { readContent, type SiteContent, type SiteDocument } from "./site/documents.ts";
import { linksOf } from "./site/links.ts";
import { DocumentPage, FrontPage, type SiteFacts } from "./site/pages.tsx";
import { createRenderer, type RenderedDocument } from "./site/render_document.ts";

/** A document with its page. */
interface DocumentOnSite {
  document: SiteDocument;
  rendered: RenderedDocument;
  /** The Markdown, with links of the site. */
  markdown: string;
}

/** Returns what a build knows about where it will be: on GitHub, the workflow says it. */
export function siteFacts(
  url: string | undefined,
  environment: Record<string, string | undefined>,
): SiteFacts {
  const declared = (deno as { repository?: string }).repository;
  const repository = findRepository(declared, environment);
  const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  const pages = owner && `https://${owner.toLowerCase()}.github.io/${name}/`;
  return {
    url: url ?? pages,
    repository,
    install: installation("site", { ...currentRelease, repository }),
    version: deno.version,
    hasPlayground: existsSync(playgroundScript),
  };
}

/** Builds every file of the site but the playground. */
export async function buildSite(facts: SiteFacts): Promise<BuiltFile[]> {
  const content = await readContent();
  const documents = await renderDocuments(content, facts);
  const pages = documents.map(({ document, rendered, markdown }): BuiltFile[] => [
    page(`${document.name}.html`, DocumentPage({ document, rendered, content, facts })),
    { path: `${document.name}.md`, content: markdown },
  ]);
  const [colors = ""] = /^:root [^}]*}/.exec(await readFile("static/style.css", "utf8")) ?? [];
  const style = colors + await readFile("scripts/site/site.css", "utf8");
  const script = await readFile("scripts/site/search.js", "utf8");
  return [
    page("index.html", FrontPage({ content, facts })),
    ...pages.flat(),
    { path: "site.css", content: minify(style, { loader: "css", minify: true }) },
    {
      path: "search.js",
      content: minify(script, { loader: "js", minify: true, target: "es2022" }),
    },
    { path: "search.json", content: JSON.stringify(searchEntries(documents)) },
    { path: "llms.txt", content: indexForAgents(content, documents, facts) },
    { path: "icon.svg", content: await readFile("static/icon.svg", "utf8") },
    ...await readPictures(),
    ...facts.url === undefined ? [] : [sitemap(documents, facts.url)],
  ];
}

async function renderDocuments(
  { groups }: SiteContent,
  { repository }: SiteFacts,
): Promise<DocumentOnSite[]> {
  const render = await createRenderer();
  const documents = groups.flatMap((group) => group.documents);
  return await Promise.all(documents.map(async (document) => {
    const source = await readFile(document.source, "utf8");
    const links = linksOf(document, documents, repository);
    return { document, rendered: render(source, links), markdown: links.rewrite(source) };
  }));
}

function page(path: string, content: Parameters<typeof renderToString>[0]): BuiltFile {
  return { path, content: `<!doctype html>${renderToString(content)}\n` };
}

/** What the search reads: title, page, address, how the text begins, 1 for a heading. */
function searchEntries(documents: readonly DocumentOnSite[]) {
  return documents.flatMap(({ document: { name }, rendered: { title, description, places } }) => [
    [title, "Document", `${name}.html`, description.slice(0, 140)],
    ...places.map((
      place,
    ) => [
      place.title,
      title,
      `${name}.html#${place.anchor}`,
      place.text,
      ...place.level ? [1] : [],
    ]),
  ]);
}

function indexForAgents(
  { groups, title, lead }: SiteContent,
  documents: readonly DocumentOnSite[],
  { url = "" }: SiteFacts,
): string {
  const descriptions = new Map(
    documents.map(({ document, rendered }) => [document.name, rendered.description]),
  );
  const sections = groups.map((group) => {
    const lines = group.documents.map(({ name, label }) =>
      `- [${label}](${url}${name}.md): ${descriptions.get(name)?.split(/(?<=\.) /)[0]}`
    );
    return `## ${group.title}\n\n${lines.join("\n")}\n`;
  });
  return `# ${title}\n\n> ${lead}\n\n${sections.join("\n")}`;
}

function sitemap(documents: readonly DocumentOnSite[], url: string): BuiltFile {
  const paths = ["", ...documents.map(({ document }) => `${document.name}.html`)];
  const entries = paths.map((path) => `<url><loc>${url}${path}</loc></url>`).join("");
  return {
    path: "sitemap.xml",
    content: '<?xml version="1.0" encoding="UTF-8"?>' +
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>\n`,
  };
}

/** The pictures of the documents. */
async function readPictures(): Promise<BuiltFile[]> {
  const isPicture = (name: string) => [".png", ".svg"].includes(extname(name));
  const names = (await readdir(".github", { recursive: true })).filter(isPicture);
  return await Promise.all(names.map(async (name) => ({
    path: `pictures/${name}`,
    content: new Uint8Array(await readFile(join(".github", name))),
  })));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string" },
      serve: { type: "boolean", default: false },
      port: { type: "string", default: "0" },
    },
  });
  const [folder = "dist/site"] = positionals;
  const facts = siteFacts(values.url, process.env);
  const site = await buildSite(facts);
  const playground = (await builtPlayground())
    .map(({ path, content }) => ({ path: `playground/${path}`, content }));
  const files = [...site, ...playground, ...await takeCards(site)];
  await writeFiles(folder, files);
  console.log(`Built the site in ${folder}: ${files.length} files.`);
  if (!values.serve) return process.exit(0);
  const { port } = await serveFiles(files, "/", Number(values.port));
  console.log(`Open http://localhost:${port}/`);
}

if (import.meta.main) await main();
