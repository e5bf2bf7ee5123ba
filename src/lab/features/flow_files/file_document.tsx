/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import icon from "../../../../static/icon.svg" with { type: "text" };
import { renderPage } from "../../../server/pages/pages.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";

export interface FileDocumentParts {
  title: string;
  /** Our own style sheets. */
  styles: readonly string[];
  content: ComponentChildren;
}

/**
 * Renders a page as one file. It needs no other file, and loads, runs and sends nothing, wherever it
 * is published.
 */
export async function renderFile(parts: FileDocumentParts): Promise<string> {
  const style = parts.styles.join("\n");
  const hash = (await sha256(style)).replaceAll("-", "+").replaceAll("_", "/");
  const policy = [
    "default-src 'none'",
    // The hash of the style sheet, so that the page takes no other (CSP 3, section 2.3.1).
    `style-src 'sha256-${hash}='`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `${await renderPage(FileDocument(parts, style, policy))}\n`;
}

function FileDocument({ title, content }: FileDocumentParts, style: string, policy: string): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · Hallpass`}</title>
        <link rel="icon" href={iconUrl()} type="image/svg+xml" />
        {/* Our own style sheets, in which a browser would not decode "&gt;". */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class="lab">
        <header>
          <div class="topbar">
            <span class="brand">
              <img src={iconUrl()} alt="" width="22" height="22" />
              <span class="wordmark">Hallpass</span>
            </span>
          </div>
        </header>
        <main id="main">{content}</main>
      </body>
    </html>
  );
}

function iconUrl(): string {
  return `data:image/svg+xml,${encodeURIComponent(icon)}`;
}
