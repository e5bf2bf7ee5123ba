/** @jsxImportSource preact */
import type { VNode } from "preact";

/** The redirect URIs of a client, one per line. */
export function UriList({ uris = [] }: { uris?: readonly string[] | undefined }): VNode | null {
  if (uris.length === 0) return null;
  return (
    <ul class="plain">
      {uris.map((uri) => (
        <li>
          <code>{uri}</code>
        </li>
      ))}
    </ul>
  );
}
