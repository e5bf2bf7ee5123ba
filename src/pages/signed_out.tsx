/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Warning } from "./about_client.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page that confirms a sign-out. */
export interface SignedOutProps extends FrameProps, ClientWarningProps {
  /** The front-channel logout URLs of applications. Each one is loaded in a hidden frame. */
  logoutUrls: readonly string[];
  /** Where the user can continue, and the name that the user knows it by. */
  next?: { url: string; name: string } | undefined;
  /** Whether the page redirects to `next` without a click, once all frames have loaded. */
  redirects: boolean;
  /** In a lab: why the `post_logout_redirect_uri` cannot be used. */
  hint?: string | undefined;
}

/** The default page `signedOut`. */
export function SignedOut(props: SignedOutProps): VNode {
  const { base, logoutUrls, next, redirects, untrustedClient, hint } = props;
  return (
    <Frame
      {...props}
      title="Signed out"
      width="narrow"
      script={redirects ? "signed_out.js" : undefined}
    >
      <section class="card">
        <h1 class="succeeded">You are signed out</h1>
        {next && <Warning untrustedClient={untrustedClient} />}
        <p>
          {next
            ? <a id="continue" class="button" href={next.url}>Continue to {next.name}</a>
            : <a id="home" href={`${base}/`}>Back to Home</a>}
        </p>
        {next && untrustedClient && (
          <p class="fine">
            The button leads to <code>{next.url.split("?")[0]}</code>.
          </p>
        )}
        {hint && <p id="hint" class="fine">{hint}</p>}
      </section>
      {/* The client's page clears its own cookies and storage, but cannot navigate this page. */}
      {logoutUrls.map((url) => (
        <iframe
          src={url}
          title="Signing out of an application"
          sandbox="allow-scripts allow-same-origin"
          hidden
        />
      ))}
    </Frame>
  );
}
