/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { Language } from "./languages/languages.ts";
import { staticPath } from "./static_files.ts";

/** The props of every page. */
export interface FrameProps {
  /** The path below which the server lives: "" or "/tenant". */
  base: string;
  /** The language of the page, with its texts. */
  language: Language;
  /** A line at the top of every page. */
  notice?: string | undefined;
}

interface FrameOptions extends FrameProps {
  title: string;
  /** A narrow page asks for one thing; a wide one shows many. */
  width: "narrow" | "wide";
  /** A static file of ours, which the page works without. */
  script?: string | undefined;
  /** Whether the page has buttons that a hidden click must not reach. */
  guard?: boolean;
  children: ComponentChildren;
}

/** The common parts of all pages: head, style, notice and masthead. */
export function Frame(props: FrameOptions): VNode {
  const { base, language, notice, title, width, script, guard, children } = props;
  return (
    <html lang={language.tag} dir={language.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Hallpass`}</title>
        <link rel="icon" href={staticPath(base, "icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={staticPath(base, "style.css")} />
        {/* Not deferred: its buttons must not work before it runs. */}
        {guard && <script src={staticPath(base, "guard.js")} />}
        {script && <script src={staticPath(base, script)} defer />}
      </head>
      <body>
        {notice && <aside class="notice" id="notice" aria-label="Notice">{notice}</aside>}
        <header class={`masthead ${width}`}>
          <a class="brand" href={`${base}/`}>
            <img src={staticPath(base, "icon.svg")} alt="" width="28" height="28" />
            <span>Hallpass</span>
          </a>
        </header>
        <main class={width}>{children}</main>
      </body>
    </html>
  );
}
