import { basePath } from "../../protocol/issuer_url.ts";

/** The configuration for the most frequent case: the browser on this machine, the application in a network of containers. */
export function advise(issuer: string, port: number): string {
  const path = basePath(issuer);
  const [inside, outside] = [`http://hallpass:${port}${path}`, `http://localhost:${port}${path}`];
  return `For a browser on this machine and an application in a compose network, a lab works like this:

services:
  hallpass:
    image: hallpass # docker build -f scripts/Dockerfile -t hallpass .
    environment:
      HALLPASS_PORT: "${port}"
      HALLPASS_ISSUER: ${inside} # in tokens and metadata, and where the application asks
      HALLPASS_FRONT_CHANNEL: ${outside} # where the application sends browsers
      HALLPASS_LAB_TOKEN: \${HALLPASS_LAB_TOKEN:?guards the lab's powers}
      HALLPASS_REDIRECT_URI: http://localhost:3000/callback # the application's own, as the browser knows it
    ports: ["127.0.0.1:${port}:${port}"]
  app:
    environment:
      OIDC_ISSUER: ${inside}
    depends_on:
      hallpass: { condition: service_healthy }

Without an image of yours, the same on the command line:
  hallpass lab --port ${port} --issuer ${inside} --front-channel ${outside} --expose --lab-token TOKEN

A browser that runs in the network too needs no front channel: leave it out.
An application that keeps the issuer ${outside} but reads the metadata elsewhere (a "metadata address") is served by
  --issuer ${outside} --back-channel ${inside}`;
}
