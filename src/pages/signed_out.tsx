/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface SignedOutProps extends FrameProps {
  /** Pages of applications that sign the person out there, each shown in a frame. */
  frames: readonly string[];
  /** Where the person may go on to. */
  next?: { url: string; name: string };
  /** Whether the browser goes on there by itself, once all frames have loaded. */
  goesOn: boolean;
}

export function SignedOut(props: SignedOutProps) {
  const { base, frames, next, goesOn } = props;
  return (
    <Frame {...props} title="Signed out" width="narrow" script={goesOn ? "signed_out.js" : undefined}>
      <section class="card">
        <h1 class="succeeded">You are signed out</h1>
        <p>
          {next
            ? <a id="continue" class="button" href={next.url}>Continue to {next.name}</a>
            : <a id="home" href={`${base}/`}>Back to Home</a>}
        </p>
      </section>
      {frames.map((url) => <iframe src={url} title="Signing out of an application" sandbox="allow-scripts allow-same-origin" hidden />)}
    </Frame>
  );
}
