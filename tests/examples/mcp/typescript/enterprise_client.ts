/**
 * A client whose company decides which MCP servers its employees may use (Enterprise-Managed
 * Authorization), with the official SDK. The employee signs in at the company alone.
 */
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  type FetchLike,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

/** The client, as one of the two servers knows it. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

export interface EnterpriseOptions {
  /** The identity provider of the company. */
  company: Credentials & { issuer: string };
  /** The authorization server of the MCP server. */
  server: Credentials & { issuer: string };
  /** Returns the ID token of the employee, from the company. */
  idToken: () => Promise<string>;
  fetch: FetchLike;
}

/** Connects to the server at a URL. The company issues an ID-JAG for it, or none. */
export async function connectAsEmployee(
  url: string,
  { company, server, idToken, fetch }: EnterpriseOptions,
): Promise<Client> {
  const authProvider = new CrossAppAccessProvider({
    clientId: server.clientId,
    clientSecret: server.clientSecret,
    expectedIssuer: server.issuer,
    fetchFn: fetch,
    async assertion({ authorizationServerUrl, resourceUrl, scope }) {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        idpUrl: company.issuer,
        clientId: company.clientId,
        clientSecret: company.clientSecret,
        idToken: await idToken(),
        audience: authorizationServerUrl,
        resource: resourceUrl,
        ...scope !== undefined && { scope },
        fetchFn: fetch,
      });
      return jwtAuthGrant;
    },
  });
  const client = new Client({ name: "agent", version: "1.0.0" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch }));
  return client;
}
