/** @jsxImportSource preact */
import type { VNode } from "preact";

interface SecretsFormProps {
  /** The path of the page. */
  here: string;
  /** The step of a flow that the page shows. */
  step?: number | undefined;
  withSecrets: boolean;
}

/** Secrets are shown by a separate link, so that a screenshot has none by accident. */
export function SecretsForm({ here, step, withSecrets }: SecretsFormProps): VNode {
  return (
    <form method="get" action={here} class="inline" id="secrets">
      {step !== undefined && <input type="hidden" name="step" value={step} />}
      {!withSecrets && <input type="hidden" name="secrets" value="on" />}
      <button type="submit" class="secondary small">
        {withSecrets ? "Hide secrets" : "Show secrets"}
      </button>
    </form>
  );
}
