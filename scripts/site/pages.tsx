/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { DocumentGroup, SiteContent, SiteDocument } from "./documents.ts";
import type { Place, RenderedDocument } from "./render_document.ts";

/** Where a site is, and what of it there is. */
export interface SiteFacts {
  /** The URL of the site, with a slash at its end; undefined if it is not known yet. */
  url: string | undefined;
  /** The URL of the repository. */
  repository: string | undefined;
  /** The lines that install what was released, or that start it from a clone. */
  install: string;
  version: string;
  hasPlayground: boolean;
}

/** What the head of a page says about it. */
interface PageHead {
  title: string;
  description: string;
  /** The file of the page, and of its picture for links to it. */
  path: string;
  card: string;
}

interface FrameProps {
  head: PageHead;
  content: SiteContent;
  facts: SiteFacts;
  /** The name of the document, if the page has one. */
  current?: string;
  children: ComponentChildren;
}

/** Own files only, and nothing inline. */
const policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'";

/** The first page: what Hallpass is, a picture of a refusal, how to begin. */
export function FrontPage({ content, facts }: { content: SiteContent; facts: SiteFacts }) {
  const [what, ...more] = content.lead.split(/(?<=\.) /);
  const head = {
    title: `${content.title}: test OAuth and OpenID Connect clients`,
    description: what ?? "",
    path: "index.html",
    card: "cards/index.png",
  };
  return (
    <Frame head={head} content={content} facts={facts}>
      <main class="front">
        <h1>{content.title}</h1>
        <p class="lead">{what}</p>
        <p>{more.join(" ")}</p>
        <pre tabIndex={0}><code>{facts.install}</code></pre>
        <p>
          {facts.hasPlayground && (
            <a class="button" href="playground/index.html">Try it in this browser</a>
          )} <a class="button quiet" href="testing-a-client.html">Test a client</a>
        </p>
        <figure>
          <a href="pictures/refused.png">
            <img
              src="pictures/refused.png"
              width="1100"
              height="2438"
              alt="A flow in the lab: a sequence diagram of every message, and the check that failed, with what was expected and what came"
            />
          </a>
        </figure>
        <div class="groups">
          {content.groups.map((group) => (
            <section key={group.title}>
              <h2>{group.title}</h2>
              <DocumentList documents={group.documents} />
            </section>
          ))}
        </div>
      </main>
    </Frame>
  );
}

/** A guide or a reference, with columns that lead to the others and to its parts. */
export function DocumentPage({ document, rendered, content, facts }: {
  document: SiteDocument;
  rendered: RenderedDocument;
  content: SiteContent;
  facts: SiteFacts;
}) {
  const { title, description, html, places } = rendered;
  const head = {
    title: `${title} · ${content.title}`,
    description,
    path: `${document.name}.html`,
    card: `cards/${document.name}.png`,
  };
  const source = facts.repository && `${facts.repository}/blob/main/${document.source}`;
  return (
    <Frame head={head} content={content} facts={facts} current={document.name}>
      <div class="columns">
        <Contents places={places} />
        <main>
          <h1>{title}</h1>
          <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
          <p class="source">
            <a href={`${document.name}.md`}>This page as Markdown</a>
            {source && (
              <>
                {" · "}
                <a href={source}>its source</a>
              </>
            )}
          </p>
        </main>
      </div>
    </Frame>
  );
}

function Frame({ head, content, facts, current, children }: FrameProps) {
  return (
    <html lang="en">
      <Head head={head} facts={facts} />
      <body>
        <a class="skip" href="#main">Skip to the text</a>
        <header>
          <a class="home" href="index.html">{content.title}</a>
          <form id="search" role="search" hidden>
            <label class="visually-hidden" for="query">Search headings and settings</label>
            <input
              id="query"
              type="search"
              placeholder="Search headings and settings"
              autocomplete="off"
            />
            <button class="visually-hidden" type="submit">Search</button>
            <ul id="results" hidden></ul>
          </form>
        </header>
        <div class="page">
          <Documents groups={content.groups} current={current} />
          <div id="main">{children}</div>
        </div>
        <footer>
          <p>
            Hallpass {facts.version}, MIT · {facts.hasPlayground && (
              <>
                <a href="playground/index.html">Playground</a>
                {" · "}
              </>
            )}
            <a href="llms.txt">llms.txt</a>
            {facts.repository && (
              <>
                {" · "}
                <a href={facts.repository}>Repository</a>
              </>
            )}
          </p>
        </footer>
      </body>
    </html>
  );
}

function Head({ head: { title, description, path, card }, facts: { url } }: {
  head: PageHead;
  facts: SiteFacts;
}) {
  const address = url && new URL(path === "index.html" ? "./" : path, url).href;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content="Hallpass" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {address && <link rel="canonical" href={address} />}
      {address && <meta property="og:url" content={address} />}
      {url && <meta property="og:image" content={new URL(card, url).href} />}
      {url && <meta property="og:image:width" content="1200" />}
      {url && <meta property="og:image:height" content="630" />}
      <meta name="twitter:card" content="summary_large_image" />
      <link rel="icon" href="icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="site.css" />
      <script type="module" src="search.js"></script>
    </head>
  );
}

/** The column of all documents. On a narrow screen, it is closed. */
function Documents({ groups, current }: {
  groups: readonly DocumentGroup[];
  current: string | undefined;
}) {
  return (
    <nav class="documents" aria-label="Documents">
      <details>
        <summary>All documents</summary>
        {groups.map(({ title, documents }) => (
          <div key={title}>
            <p>{title}</p>
            <DocumentList documents={documents} current={current} />
          </div>
        ))}
      </details>
    </nav>
  );
}

function DocumentList({ documents, current }: {
  documents: readonly SiteDocument[];
  current?: string | undefined;
}) {
  return (
    <ul>
      {documents.map(({ name, label }) => (
        <li key={name}>
          <a href={`${name}.html`} {...name === current && { "aria-current": "page" as const }}>
            {label.replace(/^./, (letter) => letter.toUpperCase())}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The column of what a document has. */
function Contents({ places }: { places: readonly Place[] }) {
  const headings = places.filter(({ level = 9 }) => level <= 3);
  if (headings.length < 2) return null;
  return (
    <nav class="contents" aria-label="On this page">
      <details>
        <summary>On this page</summary>
        <ul>
          {headings.map(({ anchor, title, level }) => (
            <li key={anchor} class={`level-${level}`}>
              <a href={`#${anchor}`}>{title}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** The picture of a page where others link to it: 1200 × 630. */
export function Card({ title, description, style }: {
  title: string;
  description: string;
  style: string;
}) {
  return (
    <html lang="en">
      <head>
        <title>{title}</title>
        <style>{style}</style>
      </head>
      <body class="card">
        <p>Hallpass</p>
        <h1>{title}</h1>
        <p>{description}</p>
      </body>
    </html>
  );
}
