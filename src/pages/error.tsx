/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface ErrorProps extends FrameProps {
  error: string;
  description: string;
  /** What a lab adds for the developer. */
  hint?: string;
  /** The section that asks for the refusal. */
  see?: string;
}

export function ErrorPage(props: ErrorProps) {
  const { base, error, description, hint, see } = props;
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
        <p class="fine">Nothing was sent to the application that brought you here.</p>
        <p>
          <a href={`${base}/`}>Back to Home</a>
        </p>
      </section>
    </Frame>
  );
}
