/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Warning } from "./about_client.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The page that confirms a sign-out. */
export interface SignedOutProps extends FrameProps, ClientWarningProps {
  /** Pages of applications that sign the user out there, each shown in a frame. */
  frames: readonly string[];
  /** Where the user can continue. */
  next?: { url: string; name: string } | undefined;
  /** Whether the browser continues there on its own, once all frames have loaded. */
  goesOn: boolean;
  /** What a lab adds for the developer: why a redirect URI is not used. */
  hint?: string | undefined;
}

/** The default page `signedOut`. */
export function SignedOut(props: SignedOutProps): VNode {
  const { base, frames, next, goesOn, untrustedClient, hint } = props;
  return (
    <Frame
      {...props}
      title="Signed out"
      width="narrow"
      script={goesOn ? "signed_out.js" : undefined}
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
      {frames.map((url) => (
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
