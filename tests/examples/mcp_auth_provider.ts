const redirectUrl = "http://localhost:3000/callback";

/** What a client of the SDK keeps. A list takes the place of a browser. */
export function createAuthProvider() {
  // deno-lint-ignore no-explicit-any
  const kept: Record<string, any> = {};
  const opened: URL[] = [];
  return {
    opened,
    redirectUrl,
    clientMetadata: { client_name: "Notes", redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    redirectToAuthorization: (url: URL) => void opened.push(url),
  };
}
