/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { ClockMenu, type ShownClock } from "./clock_menu.tsx";
import { labFilePath } from "./lab_files.ts";
import type { FormOrigin } from "./lab_form.tsx";
import type { LabBrowser } from "./page_browser.ts";

/** An entry of the top bar, with how much there is to see. */
export interface ShownArea {
  name: string;
  label: string;
  count?: number | undefined;
}

/** The props of the frame around each page of the lab. */
export interface LabFrameProps extends FormOrigin {
  title: string;
  /** The entry of the top bar that the page belongs to. */
  area?: string | undefined;
  /** A style sheet that only pages of its area need. */
  style?: string | undefined;
  /** A script that only pages of its area need. */
  script?: string | undefined;
  homeUrl: string;
  issuer: string;
  /** Whether clients can read metadata at the issuer. */
  hasMetadata: boolean;
  notice?: string | undefined;
  clock: ShownClock;
  /** The path and query of the page. */
  here: string;
  /** The browser that the page is made for. */
  browser: Pick<LabBrowser, "isUncertain">;
  /** Whether the other pages of the lab are on a port of their own. */
  isAlone: boolean;
  /** Whether the page follows the lab. */
  isLive: boolean;
  /** The entries of the top bar, without counts for visitors who may not see them. */
  areas: readonly ShownArea[];
  children: ComponentChildren;
}

/** The common parts of the lab's pages: notice, top bar and clock. */
export function LabFrame(props: LabFrameProps): VNode {
  const { base, title, homeUrl, notice, browser, style, script, isLive, isAlone, hasMetadata } =
    props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Hallpass lab`}</title>
        <link rel="icon" href={labFilePath(base, "icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={labFilePath(base, "style.css")} />
        <link rel="stylesheet" href={labFilePath(base, "lab.css")} />
        {style && <link rel="stylesheet" href={labFilePath(base, style)} />}
        <script src={labFilePath(base, "copy.js")} defer />
        <script src={labFilePath(base, "lab.js")} defer />
        {script && <script src={labFilePath(base, script)} defer />}
      </head>
      <body
        class="lab"
        data-live-url={isLive ? `${base}/lab/live` : undefined}
        data-load-again={browser.isUncertain || undefined}
      >
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          {notice && <p class="notice" id="notice">{notice}</p>}
          <TopBar {...props} />
        </header>
        <main id="main">{props.children}</main>
        <footer>
          {!isAlone && <a href={`${base}/lab/rules`}>Rules</a>}
          {!isAlone && <a href={`${base}/lab/api`}>HTTP API</a>}
          {!isAlone && <a href={`${base}/lab/openapi.json`}>OpenAPI</a>}
          {hasMetadata && <a href={`${homeUrl}.well-known/openid-configuration`}>Metadata</a>}
        </footer>
      </body>
    </html>
  );
}

function TopBar(props: LabFrameProps): VNode {
  const { base, area, homeUrl, issuer, isLive, isAlone, clock, here, areas } = props;
  const hrefOf = (each: string) => each === "home" ? homeUrl : `${base}/lab/${each}`;
  const shown = areas.filter(({ name }) => !isAlone || name === "home");
  return (
    <div class="topbar">
      <a class="brand" href={homeUrl}>
        <img src={labFilePath(base, "icon.svg")} alt="" width="22" height="22" />
        <span class="wordmark">Hallpass</span>
        <span class="visually-hidden">lab, home</span>
      </a>
      <nav aria-label="Lab">
        {shown.map(({ name, label, count }) => (
          <a href={hrefOf(name)} aria-current={name === area ? "page" : undefined}>
            {label} <span class="count" id={`count-${name}`} data-live>{count || ""}</span>
          </a>
        ))}
      </nav>
      <div class="status">
        <code class="issuer" id="issuer">{issuer}</code>
        {!isAlone && <ClockMenu page={props} clock={clock} here={here} />}
        {isLive && (
          <span class="connection" id="connection" role="status">
            <span class="visually-hidden">Not connected: reload to see changes.</span>
          </span>
        )}
      </div>
    </div>
  );
}
