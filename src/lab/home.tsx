/** @jsxImportSource preact */
import type { ClientConfig, UserConfig } from "../config/config.ts";
import { deviceCodeGrant } from "../protocol/device_request.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import type { HomeProps } from "../pages/home.tsx";
import { Home } from "../pages/home.tsx";
import { ownRedirectUri } from "./flows.ts";

/** The home page of a lab: who is there to try things with. */
export function labHome(clients: readonly ClientConfig[], users: readonly UserConfig[]) {
  return (props: HomeProps) => (
    <Home {...props}>
      <section class="card">
        <h2>Start here</h2>
        <div class="clients">
          {clients.map((client) => <ClientCard client={client} issuer={props.issuer} endpoints={props.endpoints} />)}
        </div>
      </section>
      <section class="card">
        <h2>Demo users</h2>
        <table>
          <thead>
            <tr>
              <th>User name</th>
              <th>Password</th>
              <th>Name</th>
              <th>E-mail</th>
            </tr>
          </thead>
          <tbody>
            {users.map(({ name, password, claims }) => (
              <tr>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <code>{password}</code>
                </td>
                <td>{String(claims?.name ?? "")}</td>
                <td>{String(claims?.email ?? "")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Home>
  );
}

interface CardProps {
  client: ClientConfig;
  issuer: string;
  endpoints: HomeProps["endpoints"];
}

function ClientCard({ client, issuer, endpoints }: CardProps) {
  const startable = ownRedirectUri(issuer, client) !== undefined;
  const urlOf = (endpoint: string) => endpoints.find(({ name }) => name === endpoint)?.url;
  const deviceEndpoint = client.grantTypes?.includes(deviceCodeGrant) && urlOf("device_authorization_endpoint");
  return (
    <div class="client" id={client.id}>
      <h3>{client.name ?? client.id}</h3>
      <p class="fine">{describe(client)}</p>
      <p>
        <code>{client.id}</code>
        {client.secret && (
          <>
            <br />
            <code>{client.secret}</code>
          </>
        )}
      </p>
      {startable && (
        <a class="button" href={issuerUrl(issuer, `/start?client_id=${encodeURIComponent(client.id)}`)}>Start New Authorization</a>
      )}
      {!client.redirectUris?.length && client.secret && (
        <pre><code data-copy>{`curl '${urlOf("token_endpoint")}' \\\n  -u '${client.id}:${client.secret}' \\\n  -d grant_type=client_credentials`}</code></pre>
      )}
      {deviceEndpoint && (
        <>
          <p class="fine">
            As a device, it begins like this; then its code is typed <a href={issuerUrl(issuer, "/device")}>here</a>:
          </p>
          <pre><code data-copy>{`curl '${deviceEndpoint}' \\\n  -d client_id=${client.id}`}</code></pre>
        </>
      )}
    </div>
  );
}

function describe(client: ClientConfig): string {
  if (client.jwks) return "Confidential: it signs assertions with a key of its own (private_key_jwt), which stands in src/lab/demo_key.ts.";
  if (client.native) return "Native and public: any port of its loopback redirect URIs.";
  if (!client.secret) return "Public: it holds no secret and proves itself by PKCE alone.";
  return client.redirectUris?.length
    ? "Confidential: it has a secret and uses PKCE all the same."
    : "Confidential: it acts for itself, with client credentials.";
}
