import { isLoopback } from "../operate/exposure.ts";

/** The addresses of a server, and where its program listens. */
export interface Deployment {
  issuer: string;
  frontChannelUrl: string;
  backChannelUrl: string;
  /** All of these, each once. */
  addresses: readonly string[];
  listens: { host: string; port: number };
  /** Where the server says whether it is ready, if it has a metrics port. */
  readyUrl?: string | undefined;
  /** Whether a store keeps everything after the process has ended. A lab for tests needs none. */
  keepsData?: boolean | undefined;
  /** Whether this program runs in a container. */
  inContainer: boolean;
  /** What other machines can reach by accident. */
  exposed: readonly string[];
}

/** Returns whether a deployment is for real use. The issuer of a lab is on this machine. */
export function isForRealUse({ issuer }: Deployment): boolean {
  return issuer.startsWith("https:") && !isLoopback(issuer);
}
