/** @jsxImportSource preact */
import { Frame, type FrameProps } from "./frame.tsx";

/** The page that shows an error. */
export interface ErrorProps extends FrameProps {
  /** The error code. */
  error: string;
  /** What went wrong, in one sentence. */
  description: string;
  /** What a lab adds for the developer. */
  hint?: string;
  /** The section that asks for the refusal. */
  see?: string;
  /** How the person can tell the application, which is not told by itself. */
  continuation?: ErrorContinuation;
}

/** A link, or a form where the application wants a POST. */
export type ErrorContinuation = {
  receiver: string;
  /** Whether the application was sent a response before, which may have been lost. */
  wasAnswered?: boolean;
} & ({ href: string } | { action: string; members: Record<string, string | undefined> });

export function ErrorPage(props: ErrorProps) {
  const { base, error, description, hint, see, continuation } = props;
  return (
    <Frame {...props} title="This did not work" width="narrow">
      <section class="card">
        <h1>This did not work</h1>
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
        <p class="fine">{whatWasSent(continuation)}</p>
        {continuation && <Continuation {...continuation} />}
        <p>
          <a href={`${base}/`}>Back to Home</a>
        </p>
      </section>
    </Frame>
  );
}

function whatWasSent(onward: ErrorContinuation | undefined): string {
  if (!onward) return "Nothing was sent to the application that brought you here.";
  return onward.wasAnswered
    ? "The application was sent a response before. If it never arrived, you can tell the application:"
    : "Nothing was sent to the application that brought you here. You can tell it yourself:";
}

function Continuation({ receiver, ...way }: ErrorContinuation) {
  const label = `Go on to ${receiver}`;
  if ("href" in way) {
    return (
      <p>
        <a id="onward" href={way.href}>{label}</a>
      </p>
    );
  }
  const sent = Object.entries(way.members).filter(([, value]) => value !== undefined);
  return (
    <form id="onward" method="post" action={way.action}>
      {sent.map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      <button type="submit" class="secondary">{label}</button>
    </form>
  );
}
