// How VitePress builds the site. `deno task site` writes the documents and facts.json beside it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import facts from "./facts.json" with { type: "json" };

const { documents, url, repository, version, hasPlayground } = facts;
const base = url ? new URL(url).pathname : "/";
const groups = [...new Set(documents.flatMap(({ group }) => group ?? []))];

/** Own files only, and nothing inline but the icons of the style. */
const policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'";

/** Words of a question that lead nowhere. */
const common =
  /\b(?:an?|and|are|by|can|do|does|for|has|have|how|i[ns]?|it|its|my|o[fnr]|the|to|what|when|where|which|with)\b/gi;

const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");

/** A block that was cut out of a file keeps no indentation that each of its lines has. */
function highlight(code) {
  const [common] = code.match(/^ *(?=\S)/gm).sort();
  const text = escape(code.replaceAll(new RegExp(`^${common}`, "gm"), ""));
  return `<pre v-pre tabindex="0"><code>${text}</code></pre>`;
}

/** Renders what GitHub renders: neither HTML nor templates. */
function configure(markdown) {
  const { rules } = markdown.renderer;
  rules.text = (tokens, index) => escape(tokens[index].content);
  // Names break where their parts end, not in the middle of a word.
  rules.code_inline = (tokens, index) => {
    const name = escape(tokens[index].content).replaceAll(/(?<=\w[._/])(?=\w)/g, "<wbr>");
    return `<code v-pre>${name}</code>`;
  };
  rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => "</table></div>";
  markdown.core.ruler.push("rows", ({ tokens }) => addAnchors(tokens));
}

/** Gives an anchor to each row that begins with a name: a setting, a rule, a fault. */
function addAnchors(tokens) {
  const taken = new Set();
  let section = "";
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      section = token.tag === "h1" ? "" : token.attrGet("id");
      taken.add(section);
    }
    // A header without a text is none.
    if (token.type === "th_open" && tokens[index + 1].content === "") {
      token.tag = tokens[index + 2].tag = "td";
    }
    const [name, ...more] = tokens[index + 2]?.children ?? [];
    if (token.type !== "tr_open" || name?.type !== "code_inline" || more.length > 0) continue;
    const part = name.content.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^-|-$/g, "");
    const anchor = [section, part].filter(Boolean).join("-");
    let unique = anchor;
    for (let count = 1; taken.has(unique); count++) unique = `${anchor}-${count}`;
    taken.add(unique);
    token.attrSet("id", unique);
  }
}

/** What the search finds: headings, and rows with an anchor. */
function* sectionsIn(_path, html) {
  const titles = [];
  for (const part of html.split(/(?=<h[1-6] id=|<tr id=)/)) {
    const [, tag, anchor, title] = /^<(..) id="([^"]*)"[^>]*>([^]*?)<\/(?:h.|td)>/.exec(part) ?? [];
    if (!tag) continue;
    const level = tag === "tr" ? 6 : Number(tag[1]) - 1;
    titles.splice(level, 7, textOf(title));
    yield { anchor, titles: titles.filter(Boolean), text: textOf(part).replaceAll(common, "") };
    if (tag === "tr") titles.length -= 1;
  }
}

function textOf(html) {
  return html.replaceAll(/<a class="header-anchor"[^]*?<\/a>|<wbr>/g, "").replaceAll(
    /<[^>]*>/g,
    " ",
  )
    .replaceAll("&lt;", "<").replaceAll("&amp;", "&").trim();
}

/** What others show who link to a page. */
function headOf({ pageData: { relativePath, title, description } }) {
  const path = relativePath.replace(/md$/, "html").replace("index.html", "");
  const picture = url && { url: `${url}${path}`, image: `${url}pictures/drill.png` };
  return Object.entries({ site_name: "Hallpass", title, description, ...picture })
    .map(([name, content]) => ["meta", { property: `og:${name}`, content }]);
}

function linkTo({ name, label }) {
  return { text: label, link: `/${name}` };
}

/** The scripts that VitePress writes into each page, the same in all. */
let inlineScripts = "";

/** Moves scripts to a file, and removes styles that the policy forbids. */
function withoutInline(html) {
  const inline = /<script id="[^>]*>([^]*?)<\/script>/g;
  inlineScripts = [...html.matchAll(inline)].map(([, script]) => script).join("\n");
  const start = `<head><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<script src="${base}early.js"></script>`;
  return html.replaceAll(inline, "").replaceAll(/ style="[^"]*"/g, "").replace("<head>", start);
}

export default {
  title: "Hallpass",
  lang: "en",
  base,
  metaChunk: true,
  // One page at a time: the order of the pages is that of the search's index.
  buildConcurrency: 1,
  ignoreDeadLinks: "localhostLinks",
  appearance: { disableTransition: false },
  head: [["link", { rel: "icon", href: `${base}icon.svg` }]],
  ...url && { sitemap: { hostname: url } },
  markdown: {
    html: false,
    attrs: { disable: true },
    // The anchors of GitHub.
    anchor: { slugify: (text) => text.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-") },
    highlight,
    config: configure,
  },
  transformPageData: ({ relativePath }) => ({
    description: documents.find(({ name }) => `${name}.md` === relativePath)?.description,
  }),
  transformHead: headOf,
  transformHtml: withoutInline,
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, "early.js"), inlineScripts),
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: { weights: { fuzzy: 0.2, prefix: 0.1 } },
          _splitIntoSections: sectionsIn,
        },
      },
    },
    outline: [2, 3],
    nav: [
      ...hasPlayground
        ? [{ text: "Playground", link: "/playground/index.html", target: "_self" }]
        : [],
      ...repository ? [{ text: "Repository", link: repository }] : [],
    ],
    sidebar: [
      ...groups.map((text) => ({
        text,
        items: documents.filter(({ group }) => group === text).map(linkTo),
      })),
      ...documents.filter(({ name, group }) => name !== "index" && !group).map(linkTo),
    ],
    footer: { message: `Hallpass ${version}, MIT` },
  },
};
