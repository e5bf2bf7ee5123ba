/** @jsxImportSource preact */
import type { VNode } from "preact";
import { HiddenFields } from "./form_post.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page that shows an error. */
export interface ErrorProps extends FrameProps {
  /** The error code. */
  error: string;
  /** What went wrong, in one sentence. */
  description: string;
  /** In a lab: what the developer can do about it. */
  hint?: string | undefined;
  /** The section of a specification that requires the error. */
  see?: string | undefined;
  /** How the user can notify the application, which was not redirected to. */
  continuation?: ErrorContinuation | undefined;
}

/** A link, or a form for an application that expects a POST. */
export type ErrorContinuation = {
  /** The name of the receiver. */
  receiver: string;
  /** Whether a response was already sent to the application. It may have been lost. */
  responseWasSent?: boolean;
} & ({ href: string } | { action: string; members: Record<string, string | undefined> });

/** The default page `error`. */
export function ErrorPage(props: ErrorProps): VNode {
  const { base, error, description, hint, see, continuation } = props;
  return (
    <Frame {...props} title="Something went wrong" width="narrow">
      <section class="card">
        <h1>Something went wrong</h1>
        <p id="error-description" class="lead">{description}</p>
        <dl class="facts">
          <dt>Error</dt>
          <dd>
            <code id="error">{error}</code>
          </dd>
          {hint && (
            <>
              <dt>Hint</dt>
              <dd id="hint">{hint}</dd>
            </>
          )}
          {see && (
            <>
              <dt>See</dt>
              <dd>{see}</dd>
            </>
          )}
        </dl>
        <p class="fine">{sentSoFar(continuation)}</p>
        {continuation && <Continuation {...continuation} />}
        <p>
          <a href={`${base}/`}>Back to Home</a>
        </p>
      </section>
    </Frame>
  );
}

function sentSoFar(continuation: ErrorContinuation | undefined): string {
  if (!continuation) return "Nothing was sent to the application that brought you here.";
  return continuation.responseWasSent
    ? "A response was already sent to the application. If it did not arrive, you can let it know:"
    : "Nothing was sent to the application that brought you here. You can let it know:";
}

function Continuation({ receiver, ...destination }: ErrorContinuation): VNode {
  const label = `Continue to ${receiver}`;
  if ("href" in destination) {
    return (
      <p>
        <a id="onward" href={destination.href}>{label}</a>
      </p>
    );
  }
  return (
    <form id="onward" method="post" action={destination.action}>
      <HiddenFields members={destination.members} />
      <button type="submit" class="secondary">{label}</button>
    </form>
  );
}
