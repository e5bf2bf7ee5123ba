/** @jsxImportSource preact */
import type { VNode } from "preact";
import { brokenApplications } from "./broken_applications.ts";

/** The page around a lab: a bar, and the pages of the lab in a frame. */
export function Shell({ files, providers, commands }: {
  /** The folder of the files of this version. */
  files: string;
  /** The providers that the lab can play, with their titles. */
  providers: ReadonlyArray<readonly [name: string, title: string]>;
  /** The commands that run a lab on one's machine. */
  commands: readonly string[];
}): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Hallpass playground</title>
        {/* Pages in frames go to no other origin: neither those of the lab, nor the application. */}
        <meta http-equiv="Content-Security-Policy" content="frame-src 'self'; base-uri 'none'" />
        <link rel="icon" href={`${files}icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${files}playground.css`} />
        <script src={`${files}shell.js`} defer />
      </head>
      <body data-worker={`${files}worker.js`} data-application={`./application.js`}>
        <header>
          <h1>Hallpass playground</h1>
          <p id="promise">Runs in this tab. Nothing leaves it.</p>
          <label>
            <span>Play:</span>
            <select id="preset">
              <option value="">plain</option>
              {providers.map(([name, title]) => <option value={name}>{title}</option>)}
            </select>
          </label>
          <button
            type="button"
            id="open-application"
            aria-expanded="false"
            aria-controls="application"
          >
            Application
          </button>
          <button type="button" id="reset">Reset</button>
          <details id="install">
            <summary>Install</summary>
            <div>
              <p>In a clone of the repository:</p>
              <pre tabIndex={0}>{commands.join("\n")}</pre>
            </div>
          </details>
          <form id="address-form" role="search" aria-label="Address">
            <button type="button" id="back" aria-label="Back">←</button>
            <button type="button" id="forward" aria-label="Forward">→</button>
            <button type="button" id="reload" aria-label="Reload the page of the lab">↻</button>
            <input
              id="address"
              aria-label="URL of the page in the lab"
              spellcheck={false}
              autocomplete="off"
            />
            <button type="button" id="copy">Copy link</button>
          </form>
        </header>
        <main>
          <p id="state" role="status">Starting the lab …</p>
          <noscript>
            <p>The lab is a program that runs in this tab: it needs scripts.</p>
          </noscript>
          <iframe id="lab" name="lab" title="The lab" hidden />
          <Application />
        </main>
      </body>
    </html>
  );
}

/** The application next to the lab, with its source and what the lab reports about it. */
function Application(): VNode {
  return (
    <aside id="application" aria-labelledby="application-title" hidden>
      <h2 id="application-title">An application</h2>
      <p>
        A client of this lab, in plain JavaScript. It runs in a sandbox that reaches nothing else.
      </p>
      <nav id="mistakes" aria-label="Versions of the application">
        <a href="#app=correct">correct</a>
        {brokenApplications.map(({ name, title }) => <a href={`#app=${name}`}>{title}</a>)}
      </nav>
      <p id="hint" role="status" hidden />
      <iframe id="application-frame" title="The application" sandbox="allow-scripts" />
      <section id="reported" aria-label="What the lab reports" hidden>
        <h3>What the lab reports</h3>
        <ul id="verdict" role="status" />
      </section>
      <div id="source-head">
        <label for="source">Its source</label>
        <button type="button" id="run">Run</button>
      </div>
      <textarea id="source" spellcheck={false} autocomplete="off" />
    </aside>
  );
}
