import type { TestLab } from "../../../src/lab/testing/mod.ts";

/** What a client keeps, as far as both official SDKs ask for it. */
export interface McpClientStore {
  redirectUrl: string;
  clientMetadata: { client_name: string; redirect_uris: string[] };
  clientMetadataUrl?: string;
  /** The URL that the client would have opened in a browser. */
  opened: URL[];
}

export const redirectUrl = "http://localhost:3000/callback";

/** How a client is known to the server. */
export interface KnownAs {
  /** The URL of its metadata document. */
  documentUrl?: string;
  /** The id of a client that was configured. */
  clientId?: string;
}

/** Creates what an application implements for an SDK: a memory, and in place of a browser, a list. */
export function createClientStore({ documentUrl, clientId }: KnownAs = {}) {
  let [information, tokens, verifier, discovery]: unknown[] = [
    clientId === undefined ? undefined : { client_id: clientId },
  ];
  const opened: URL[] = [];
  return {
    redirectUrl,
    clientMetadata: { client_name: "Notes", redirect_uris: [redirectUrl] },
    ...documentUrl !== undefined && { clientMetadataUrl: documentUrl },
    opened,
    clientInformation: () => information,
    saveClientInformation: (value: unknown) => void (information = value),
    tokens: () => tokens,
    saveTokens: (value: unknown) => void (tokens = value),
    codeVerifier: () => verifier as string,
    saveCodeVerifier: (value: string) => void (verifier = value),
    discoveryState: () => discovery,
    saveDiscoveryState: (value: unknown) => void (discovery = value),
    redirectToAuthorization: (url: URL) => void opened.push(url),
    // deno-lint-ignore no-explicit-any
  } as any;
}

/** Signs Alice in at the URL that a client opened last, and returns the callback. */
export async function signIn(lab: TestLab, { opened }: Pick<McpClientStore, "opened">) {
  const { callback } = await lab.authorize(opened.at(-1)?.href ?? "", { user: "alice" });
  return new URL(callback).searchParams;
}

/** Returns a parameter of the last authorization request of a client. */
export function asked({ opened }: Pick<McpClientStore, "opened">, name: string): string | null {
  return opened.at(-1)?.searchParams.get(name) ?? null;
}
