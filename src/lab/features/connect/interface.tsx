/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { confinedNote } from "../../pages/parts/confined.tsx";
import { CodeBlock, CopyText } from "../../pages/parts/copy_text.tsx";
import { type ConnectedLibrary, connectLibrary } from "./connect_library.ts";
import { connections } from "./connections.ts";

/** What the home page shows to people who write an application. */
export const connectInterface: FeatureInterface = {
  additions: {
    "an application to connect": (base, chosen, lab) => connectSection(base, chosen, lab),
  },
};

/**
 * Shows how the chosen library is configured for this lab, with the secret of a client. The choice
 * belongs to the form that starts a flow, which remembers it.
 */
function connectSection(base: string, chosen: string, lab: CoreLab): VNode | undefined {
  const shown = connections.flatMap((connection) => connectLibrary(lab, connection) ?? []);
  const entry = shown.find(({ library }) => idOf(library) === chosen) ?? shown[0];
  if (entry === undefined) return undefined;
  return (
    <>
      {confinedNote(lab)}
      <label for="library">Your library</label>
      <div class="button-row">
        <select id="library" name="library" form="flow-builder">
          {shown.map((each) => (
            <option value={idOf(each.library)} selected={each === entry}>{each.library}</option>
          ))}
        </select>
        <noscript>
          <button type="submit" class="secondary" form="flow-builder">Show</button>
        </noscript>
      </div>
      <div id="connect-lines" data-live>{linesOf(base, entry)}</div>
    </>
  );
}

function linesOf(base: string, connected: ConnectedLibrary): VNode {
  const { library, file, text, note, source, client, redirectUri, isRegistered } = connected;
  return (
    <>
      <p class="help">
        In <code>{file}</code>
        {source && (
          <>
            , as <a href={source}>its documentation</a> describes
          </>
        )}
        {note ? `. ${note}` : "."}
      </p>
      <CodeBlock what={`configuration of ${library}`} text={text} />
      {redirectUri && (
        <p class="help">
          Register <CopyText what={`redirect URI of ${library}`} text={redirectUri} /> for{" "}
          <a href={`${base}/lab/clients/${encodeURIComponent(client.id)}`}>{client.id}</a>
          {isRegistered ? " (done)." : ", or with one click once it was refused."}
        </p>
      )}
    </>
  );
}

function idOf(library: string): string {
  return library.toLowerCase().replaceAll(/\W+/g, "-").replace(/-$/, "");
}
