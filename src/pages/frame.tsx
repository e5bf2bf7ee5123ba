/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** The props of every page. */
export interface FrameProps {
  /** The path below which the server lives: "" or "/tenant". */
  base: string;
  /** A line at the top of every page. */
  notice?: string | undefined;
}

interface FrameOptions extends FrameProps {
  title: string;
  /** A narrow page asks for one thing; a wide one shows many. */
  width: "narrow" | "wide";
  /** A static file of ours, which the page works without. */
  script?: string | undefined;
  children: ComponentChildren;
}

/** The common parts of all pages: head, style, notice and masthead. */
export function Frame({ base, notice, title, width, script, children }: FrameOptions): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Hallpass`}</title>
        <link rel="icon" href={`${base}/static/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${base}/static/style.css`} />
        {script && <script src={`${base}/static/${script}`} defer />}
      </head>
      <body>
        {notice && <p class="notice" id="notice">{notice}</p>}
        <header class={`masthead ${width}`}>
          <a class="brand" href={`${base}/`}>
            <img src={`${base}/static/icon.svg`} alt="" width="28" height="28" />
            <span>Hallpass</span>
          </a>
        </header>
        <main class={width}>{children}</main>
      </body>
    </html>
  );
}
