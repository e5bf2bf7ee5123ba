/** @jsxImportSource preact */
import type { VNode } from "preact";
import { htmlResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { renderPage } from "../../../server/pages/pages.ts";
import type { OAuthError } from "../../../server/protocol/oauth_error.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata } from "../../dialect/lab_endpoints.ts";
import { PageHead } from "../parts/section.tsx";
import { clockMenu } from "./clock.tsx";
import { labFilePath, pageStylePath } from "./lab_files.ts";
import { type LabPage, type LabPageCall, maySeeLab } from "./lab_page.ts";

/** What the dot at the end of the top bar means until a script says otherwise. */
const notConnected = "Not connected: reload to see changes.";

/** Puts the frame around a page. */
export async function labPageResponse(
  lab: CoreLab,
  call: LabPageCall,
  page: LabPage,
): Promise<ResponseData> {
  const { status = 200, isLive = false, headers = [] } = page;
  const html = await renderPage(await framedPage(lab, call, page));
  const sent = [...call.browser.headers, ...headers];
  return htmlResponse(html, status, sent, { isLive, sendsReferrer: true });
}

/** Returns the page that says why the lab did not do what was asked, and what can be done next. */
export function problemPage(
  { base, homeUrl, isAlone }: LabPageCall,
  { status, message, hint }: OAuthError,
  next?: { title: string; content: VNode },
): LabPage {
  const isMissing = status === 404 && !next;
  // The title says what is missing, and the rest what there is.
  const [first = "", rest] = isMissing ? message.split(/\.(?: |$)(.*)/s) : ["", message];
  const title = next?.title ?? (first || "The lab could not do that");
  return {
    title,
    status,
    content: (
      <>
        <PageHead title={title} />
        {rest && <p class="alert" id="problem" role="alert">{rest}</p>}
        {hint && <p>{hint}</p>}
        {isMissing
          ? (
            <p class="button-row">
              <a class="button secondary" href={homeUrl}>Home</a>
              {!isAlone && <a class="button secondary" href={`${base}/lab/flows`}>All flows</a>}
            </p>
          )
          : next?.content}
      </>
    ),
  };
}

/** Returns a page with the common parts around it: notice, top bar and clock. */
async function framedPage(lab: CoreLab, call: LabPageCall, page: LabPage): Promise<VNode> {
  const { base, homeUrl, browser, isAlone } = call;
  const { title, style, script, isLive } = page;
  const notice = lab.context.hooks.notice?.(lab.context.settings.notice);
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
        {style && <link rel="stylesheet" href={await pageStylePath(base, style)} />}
        <script src={labFilePath(base, "copy.js")} defer />
        <script src={labFilePath(base, "lab.js")} defer />
        {script && <script src={labFilePath(base, script)} defer />}
      </head>
      <body
        class="lab"
        data-live-url={isLive ? liveUrlOf(lab, base) : undefined}
        data-load-again={browser.isUncertain || undefined}
      >
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          {notice && <p class="notice" id="notice">{notice}</p>}
          {await topBar(lab, call, page)}
          {await maySeeLab(call) && call.additions("every page", backTo(call, page))}
        </header>
        <main id="main">{page.content}</main>
        <footer>
          {!isAlone && <a href={`${base}/lab/rules`}>Rules</a>}
          {!isAlone && <a href={`${base}/lab/api`}>HTTP API</a>}
          {!isAlone && <a href={`${base}/lab/openapi.json`}>OpenAPI</a>}
          {findMetadata(lab) && <a href={`${homeUrl}.well-known/openid-configuration`}>Metadata</a>}
        </footer>
      </body>
    </html>
  );
}

/** Returns where the page hears of events; empty if the page around it passes them on. */
function liveUrlOf({ settings }: CoreLab, base: string): string {
  return settings.config().confined ? "" : `${base}/lab/live`;
}

/** Returns where forms in the frame lead: a page that is the response of a form has no other URL. */
function backTo({ request, base, here }: LabPageCall, { area = "" }: LabPage): string {
  return request.method === "POST" ? `${base}/lab/${area}` : here;
}

async function topBar(
  lab: CoreLab,
  call: LabPageCall,
  page: LabPage,
): Promise<VNode> {
  const { area, isLive } = page;
  const { base, homeUrl, isAlone } = call;
  const areas = call.areas(await maySeeLab(call));
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
        <code class="issuer" id="issuer">{lab.issuer}</code>
        {!isAlone && clockMenu(lab, call, backTo(call, page))}
        {isLive && (
          <span class="connection" id="connection" role="status" title={notConnected}>
            <span class="visually-hidden">{notConnected}</span>
          </span>
        )}
      </div>
    </div>
  );
}
