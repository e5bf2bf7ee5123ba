import { basePath } from "../../server/protocol/issuer_url.ts";

/**
 * Returns a command for the most frequent case: a browser on this machine, the application in a
 * container.
 */
export function advise(issuer: string, port: number): string {
  const path = basePath(issuer);
  const inside = `http://hallpass:${port}${path}`;
  const publicUrl = `http://localhost:${port}${path}`;
  return `For a browser on this machine and an application in a container, this lab works:
  hallpass lab --port ${port} --issuer ${inside} --front-channel ${publicUrl} --expose --lab-token TOKEN

With Docker Compose, see scripts/deploy/compose.lab.yaml in the source of Hallpass.
If the browser runs in the network too, leave the front channel out.
If your application keeps the issuer ${publicUrl} and reads the metadata elsewhere (a "metadata address"):
  --issuer ${publicUrl} --back-channel ${inside}`;
}
