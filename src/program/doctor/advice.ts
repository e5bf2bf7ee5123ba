import { basePath } from "../../server/protocol/issuer_url.ts";

/**
 * Returns a configuration for the most frequent case: a browser on this machine, the application in
 * a container.
 */
export function advise(issuer: string, port: number): string {
  const path = basePath(issuer);
  const inside = `http://hallpass:${port}${path}`;
  const publicUrl = `http://localhost:${port}${path}`;
  return `For a browser on this machine and an application in a compose network, this lab works:

services:
  hallpass:
    image: hallpass # docker build -f scripts/Dockerfile -t hallpass .
    environment:
      HALLPASS_PORT: "${port}"
      HALLPASS_ISSUER: ${inside} # in tokens and metadata, and where the application sends its requests
      HALLPASS_FRONT_CHANNEL: ${publicUrl} # where the application sends browsers
      HALLPASS_LAB_TOKEN: \${HALLPASS_LAB_TOKEN:?protects /lab}
      HALLPASS_REDIRECT_URI: http://localhost:3000/callback # the application's own, as the browser reaches it
    ports: ["127.0.0.1:${port}:${port}"]
  app:
    environment:
      OIDC_ISSUER: ${inside}
    depends_on:
      hallpass: { condition: service_healthy }

Without an image, the same on the command line:
  hallpass lab --port ${port} --issuer ${inside} --front-channel ${publicUrl} --expose --lab-token TOKEN

If the browser runs in the network too, leave the front channel out.
If your application keeps the issuer ${publicUrl} and reads the metadata elsewhere (a "metadata address"):
  --issuer ${publicUrl} --back-channel ${inside}`;
}
