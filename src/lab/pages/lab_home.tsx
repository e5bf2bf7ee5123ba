/** @jsxImportSource preact */
import type { UserConfig } from "../../config/user_config.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { Home, type HomeProps } from "../../pages/home.tsx";
import { deviceCodeGrant } from "../../protocol/device_request.ts";
import { ownRedirectUri } from "./flows.ts";

/** The home page of a lab: who is there to try things with. */
export function labHome(
  frontChannelUrl: string,
  clients: readonly ClientConfig[],
  users: readonly UserConfig[],
) {
  const here = (url: string | undefined) =>
    url && new URL(frontChannelUrl).origin + new URL(url).pathname;
  const isStartable = (client: ClientConfig) =>
    ownRedirectUri(frontChannelUrl, client) !== undefined;
  return (props: HomeProps) => (
    <Home {...props}>
      <section class="card">
        <h2>Start here</h2>
        <div class="clients">
          {clients.map((client) => (
            <ClientCard
              client={client}
              base={props.base}
              startable={isStartable(client)}
              urlOf={(name) => here(urlOf(props, name))}
            />
          ))}
        </div>
      </section>
      <section class="card">
        <h2>While you test</h2>
        <p>
          The <a href={`${props.base}/lab/report`}>report card</a>{" "}
          says what your client did wrong so far. Everything else that a test can do here, from any
          language, is described in{" "}
          <a href={`${props.base}/lab/openapi.json`}>the lab's interface</a>.
        </p>
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
  base: string;
  /** Whether the lab itself can play its part. */
  startable: boolean;
  /** Where an endpoint is, for the terminal beside the browser. */
  urlOf: (endpoint: string) => string | undefined;
}

function ClientCard({ client, base, startable, urlOf }: CardProps) {
  const deviceEndpoint = client.grantTypes?.includes(deviceCodeGrant) &&
    urlOf("device_authorization_endpoint");
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
        <a class="button" href={`${base}/start?client_id=${encodeURIComponent(client.id)}`}>
          Start New Authorization
        </a>
      )}
      {!client.redirectUris?.length && client.secret && (
        <pre><code data-copy>{`curl '${urlOf("token_endpoint")}' \\\n  -u '${client.id}:${client.secret}' \\\n  -d grant_type=client_credentials`}</code></pre>
      )}
      {deviceEndpoint && (
        <>
          <p class="fine">
            As a device, it begins like this; then its code is typed{" "}
            <a href={`${base}/device`}>here</a>:
          </p>
          <pre><code data-copy>{`curl '${deviceEndpoint}' \\\n  -d client_id=${client.id}`}</code></pre>
        </>
      )}
    </div>
  );
}

function urlOf({ endpoints }: HomeProps, endpoint: string): string | undefined {
  return endpoints.find(({ name }) => name === endpoint)?.url;
}

function describe(client: ClientConfig): string {
  if (client.jwks) {
    return "Confidential: it signs assertions with a key of its own (private_key_jwt), which stands in src/lab/demo/key.ts.";
  }
  if (client.native) return "Native and public: any port of its loopback redirect URIs.";
  if (!client.secret) return "Public: it holds no secret and proves itself by PKCE alone.";
  return client.redirectUris?.length
    ? "Confidential: it has a secret and uses PKCE all the same."
    : "Confidential: it acts for itself, with client credentials.";
}
