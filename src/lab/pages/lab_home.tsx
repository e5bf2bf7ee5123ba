/** @jsxImportSource preact */
import type { UserConfig } from "../../config/user_config.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { Frame } from "../../pages/frame.tsx";
import { type HomeProps, SignedIn } from "../../pages/home.tsx";
import { languages } from "../../pages/languages/languages.ts";
import type { Pages } from "../../pages/pages.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { ownRedirectUri } from "../client_role/started_flow.ts";

/** What the home page of a lab shows, and where it leads. */
interface LabHomeContent {
  frontChannelUrl: string;
  /** The path of the page for the codes of devices. */
  devicePath: string;
  clients: readonly ClientConfig[];
  users: readonly UserConfig[];
}

/** Returns the home page of a lab, with its clients and users. */
export function labHome(
  { frontChannelUrl, devicePath, clients, users }: LabHomeContent,
): Pages["home"] {
  const here = (url: string | undefined) =>
    url && new URL(frontChannelUrl).origin + new URL(url).pathname;
  const isStartable = (client: ClientConfig) =>
    ownRedirectUri(frontChannelUrl, client) !== undefined;
  return (props: HomeProps) => (
    <Frame {...props} language={languages.en} title="Home" width="wide" script="copy.js">
      <section class="hero">
        <h1>Hallpass</h1>
        <p class="lead">
          An OAuth 2.1 and OpenID Connect authorization server: small enough to live in a test
          suite, strict enough to find a client's bugs, real enough to run.
        </p>
        {props.user && <SignedIn {...props} language={languages.en} user={props.user} />}
      </section>
      <section class="card">
        <h2>Start here</h2>
        <div class="clients">
          {clients.map((client) => (
            <ClientCard
              client={client}
              base={props.base}
              devicePath={devicePath}
              startable={isStartable(client)}
              urlOf={(name) => here(urlOf(props, name))}
            />
          ))}
        </div>
      </section>
      <section class="card">
        <h2>While you test</h2>
        <p>
          The <a href={`${props.base}/lab/report`}>client report</a>{" "}
          shows which rules your client broke.{" "}
          <a href={`${props.base}/lab/openapi.json`}>The API</a>{" "}
          describes everything else that a test can do here, from any language.
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
      <Endpoints {...props} />
    </Frame>
  );
}

function Endpoints({ base, issuer, endpoints }: HomeProps) {
  return (
    <section class="card">
      <h2>Endpoints</h2>
      <dl class="facts">
        <dt>issuer</dt>
        <dd>
          <code id="issuer" data-copy>{issuer}</code>
        </dd>
        {endpoints.map(({ name, url }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code data-copy>{url}</code>
            </dd>
          </>
        ))}
      </dl>
      <p class="fine">
        Everything else is in the <a href={`${base}/.well-known/openid-configuration`}>metadata</a>.
      </p>
    </section>
  );
}

interface CardProps {
  client: ClientConfig;
  base: string;
  devicePath: string;
  /** Whether the lab can play the client's role. */
  startable: boolean;
  /** Returns the URL of an endpoint, for a terminal on the same machine as the browser. */
  urlOf: (endpoint: string) => string | undefined;
}

function ClientCard({ client, base, devicePath, startable, urlOf }: CardProps) {
  const deviceEndpoint = client.grantTypes?.includes(deviceCodeGrantType) &&
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
            To start as a device, run this command and enter the code{" "}
            <a href={`${base}${devicePath}`}>here</a>:
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
    return "Confidential: it signs assertions with its own key (private_key_jwt); see src/lab/demo/demo_key.ts.";
  }
  if (client.native) return "Native and public: its loopback redirect URIs may use any port.";
  if (!client.secret) return "Public: it has no secret and relies on PKCE.";
  return client.redirectUris?.length
    ? "Confidential: it has a secret and uses PKCE as well."
    : "Confidential: it uses client credentials.";
}
