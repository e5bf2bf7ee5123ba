/** A client of any MCP server that is protected with OAuth, with the official SDK. */
import {
  Client,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

export const callback = "http://localhost:3000/callback";

/** Opens a URL, and returns the URL of the callback. */
export type Browser = (url: URL) => Promise<string>;

/** How the authorization server knows the client. Without a member, the client registers. */
export interface Identity {
  /** The URL of its metadata document. */
  documentUrl?: string;
  /** The id that the operator of this authorization server gave it. No other one may get to see it. */
  configured?: { clientId: string; issuer: string };
}

export interface NotesClientOptions {
  identity?: Identity;
  browser: Browser;
  fetch?: FetchLike;
}

/** A client that signs its user in whenever the server asks for it. */
export interface NotesClient {
  call(tool: string, args?: Record<string, unknown>): ReturnType<Client["callTool"]>;
  /** The protocol version that both sides speak. */
  version(): string | undefined;
}

/** Connects to the server at a URL. Nothing else is known of it. */
export async function connect(
  url: string,
  { identity, browser, fetch }: NotesClientOptions,
): Promise<NotesClient> {
  const opened: URL[] = [];
  const authProvider = createProvider(identity ?? {}, opened);
  const createTransport = () =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider, ...fetch && { fetch } });
  let transport = createTransport();
  let client = createClient();

  async function signingIn<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      if (!(cause instanceof UnauthorizedError)) throw cause;
      const { searchParams } = new URL(await browser(opened.at(-1)!));
      await transport.finishAuth(searchParams);
      return await act();
    }
  }

  await signingIn(async () => {
    [client, transport] = [createClient(), createTransport()];
    await client.connect(transport);
  });
  return {
    call: (name, args = {}) => signingIn(() => client.callTool({ name, arguments: args })),
    version: () => client.getNegotiatedProtocolVersion(),
  };
}

function createClient(): Client {
  return new Client({ name: "notes", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
}

/** Keeps what the SDK asks for in memory. A real client keeps it in a file or a keychain. */
function createProvider({ documentUrl, configured }: Identity, opened: URL[]): OAuthClientProvider {
  let client: StoredOAuthClientInformation | undefined = configured &&
    { client_id: configured.clientId, issuer: configured.issuer };
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  return {
    redirectUrl: callback,
    clientMetadata: {
      client_name: "Notes",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    ...documentUrl !== undefined && { clientMetadataUrl: documentUrl },
    clientInformation: () => client,
    saveClientInformation: (value) => void (client = value),
    tokens: () => tokens,
    saveTokens: (value) => void (tokens = value),
    codeVerifier: () => verifier,
    saveCodeVerifier: (value) => void (verifier = value),
    discoveryState: () => discovered,
    saveDiscoveryState: (value) => void (discovered = value),
    redirectToAuthorization: (url) => void opened.push(url),
  };
}
