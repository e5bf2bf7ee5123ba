/** @jsxImportSource preact */
import { type ClientWarningProps, Receivers } from "./about_client.tsx";
import { Allowed, type AllowedProps } from "./allowed.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The page on which users see which applications have access, and remove it. */
export interface AccountProps extends FrameProps {
  /** The name of the user who is signed in. */
  userName: string;
  /** The applications that have access. */
  apps: ConnectedAppProps[];
  /** For the forms that take access away. */
  formToken: string;
  /** The form that signs the user out. */
  signOut: { action: string; formToken: string };
}

/** An application, and what the person has allowed it. */
export interface ConnectedAppProps extends AllowedProps, ClientWarningProps {
  /** The `client_id`. */
  clientId: string;
  /** The name of the application. */
  name: string;
  /** Where it is on the web. An app on the person's own device is nowhere. */
  host?: string;
  /** The day of the first permission, as YYYY-MM-DD. */
  since: string;
  /** The day of the latest permission, as YYYY-MM-DD. */
  latest: string;
  /** Where the form is sent. */
  action: string;
}

export function Account(props: AccountProps) {
  const { userName, apps, formToken, signOut } = props;
  return (
    <Frame {...props} title="Connected applications" width="narrow">
      <section class="hero">
        <h1>Connected applications</h1>
        <p class="lead">
          {apps.length > 0
            ? "These may do something on your behalf. What you remove has to ask again."
            : "Nothing may do anything on your behalf."}
        </p>
      </section>
      {apps.map((app) => <ConnectedApp app={app} formToken={formToken} />)}
      <form id="sign-out" class="aside" method="post" action={signOut.action}>
        <input type="hidden" name="form_token" value={signOut.formToken} />
        Signed in as <strong>{userName}</strong>.{" "}
        <button class="link" type="submit">Sign out</button>
      </form>
    </Frame>
  );
}

/**
 * Where an application is. An untrusted one chose its own redirect URIs, so all of their receivers
 * are named.
 */
function Place({ app: { host, untrustedClient } }: { app: ConnectedAppProps }) {
  if (!untrustedClient) return host ? <code>{host}</code> : <>On your own device</>;
  return (
    <>
      {untrustedClient.host ? `Describes itself at ${untrustedClient.host}` : "Registered itself"}
      {" "}
      · what you allowed goes to <Receivers receivers={untrustedClient.receivers} />
    </>
  );
}

function ConnectedApp({ app, formToken }: { app: ConnectedAppProps; formToken: string }) {
  const { clientId, since, latest, action } = app;
  return (
    <section class="card" id={`app-${clientId}`}>
      <h2>{app.name}</h2>
      <p class="fine">
        <Place app={app} /> · since <time datetime={since}>{since}</time>
        {latest !== since && (
          <>
            , last allowed <time datetime={latest}>{latest}</time>
          </>
        )}
      </p>
      <Allowed {...app} />
      <form id={`remove-${clientId}`} method="post" action={action}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="client_id" value={clientId} />
        <button type="submit" class="secondary">Remove access</button>
      </form>
    </section>
  );
}
