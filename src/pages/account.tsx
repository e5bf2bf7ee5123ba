/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Receivers } from "./about_client.tsx";
import { AccessList, type AccessListProps } from "./access_list.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page on which users see which applications have access, and remove it. */
export interface AccountProps extends FrameProps {
  /** The name of the user who is signed in. */
  userName: string;
  /** The applications that have access. */
  apps: ConnectedAppProps[];
  /** The value of the hidden field `form_token` of the forms that remove access. */
  formToken: string;
  /** The form that signs the user out. */
  signOut: SignOutForm;
}

/** The form that signs the user out. */
export interface SignOutForm {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
}

/** An application, and what the user has allowed it. */
export interface ConnectedAppProps extends AccessListProps, ClientWarningProps {
  /** The `client_id`. */
  clientId: string;
  /** The name of the application. */
  name: string;
  /** Its host on the web. An app on the user's own device has none. */
  host?: string | undefined;
  /** The day of the first permission, as YYYY-MM-DD. */
  since: string;
  /** The day of the latest permission, as YYYY-MM-DD. */
  latest: string;
  /** Where the form is sent. */
  action: string;
}

interface ConnectedAppCardProps {
  app: ConnectedAppProps;
  formToken: string;
}

/** The default page `account`. */
export function Account(props: AccountProps): VNode {
  const { userName, apps, formToken, signOut } = props;
  return (
    <Frame {...props} title="Connected applications" width="narrow">
      <section class="hero">
        <h1>Connected applications</h1>
        <p class="lead">
          {apps.length > 0
            ? "These applications can act on your behalf. If you remove one, it has to ask again."
            : "No application can act on your behalf."}
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
 * Shows where an application is. An untrusted one chose its own redirect URIs, so all of their
 * receivers are named.
 */
function Location({ host, untrustedClient }: ConnectedAppProps): VNode {
  if (!untrustedClient) return host ? <code>{host}</code> : <>On your own device</>;
  return (
    <>
      {untrustedClient.host ? `Describes itself at ${untrustedClient.host}` : "Registered itself"}
      {" "}
      · what you allowed is sent to <Receivers receivers={untrustedClient.receivers} />
    </>
  );
}

function ConnectedApp({ app, formToken }: ConnectedAppCardProps): VNode {
  const { clientId, since, latest, action } = app;
  return (
    <section class="card" id={`app-${clientId}`}>
      <h2>{app.name}</h2>
      <p class="fine">
        <Location {...app} /> · since <time datetime={since}>{since}</time>
        {latest !== since && (
          <>
            , last allowed <time datetime={latest}>{latest}</time>
          </>
        )}
      </p>
      <AccessList {...app} />
      <form id={`remove-${clientId}`} method="post" action={action}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="client_id" value={clientId} />
        <button type="submit" class="secondary">Remove access</button>
      </form>
    </section>
  );
}
