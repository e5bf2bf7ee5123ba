/** @jsxImportSource preact */
import type { VNode } from "preact";

/** What the page of the playground is built from. */
export interface ShellProps {
  /** The folder of the files of this version. */
  files: string;
  /** The providers that the lab can play, with their titles. */
  providers: ReadonlyArray<readonly [name: string, title: string]>;
  /** The commands that run a lab on one's machine. */
  commands: readonly string[];
}

/** The page around a lab: a bar, and the pages of the lab in a frame. */
export function Shell({ files, providers, commands }: ShellProps): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Hallpass playground</title>
        <link rel="icon" href={`${files}icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${files}playground.css`} />
        <script src={`${files}shell.js`} defer />
      </head>
      <body data-worker={`${files}worker.js`}>
        <header>
          <h1>Hallpass playground</h1>
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
          </form>
          <label>
            Play{" "}
            <select id="preset">
              <option value="">plain</option>
              {providers.map(([name, title]) => <option value={name}>{title}</option>)}
            </select>
          </label>
          <button type="button" id="reset">Reset</button>
          <button type="button" id="copy">Copy link</button>
          <details id="install">
            <summary>Install</summary>
            <div>
              <p>In a clone of the repository:</p>
              <pre tabIndex={0}>{commands.join("\n")}</pre>
            </div>
          </details>
          <p id="promise">Runs in this tab. Nothing leaves it.</p>
        </header>
        <main>
          <p id="state" role="status">Starting the lab …</p>
          <noscript>
            <p>The lab is a program that runs in this tab: it needs scripts.</p>
          </noscript>
          <iframe id="lab" name="lab" title="The lab" hidden />
        </main>
      </body>
    </html>
  );
}
