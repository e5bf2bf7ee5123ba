/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface SelectAccountProps extends FrameProps {
  action: string;
  accountToken: string;
  clientName: string;
  userName: string;
}

export function SelectAccount(props: SelectAccountProps) {
  const { action, accountToken, clientName, userName } = props;
  return (
    <Frame {...props} title="Choose an account" width="narrow">
      <section class="card">
        <h1>Choose an account</h1>
        <p class="lead">
          to continue to <strong>{clientName}</strong>
        </p>
        <form id="select-account" class="choices" method="post" action={`${action}/account`}>
          <input type="hidden" name="form_token" value={accountToken} />
          <button id="this-account" type="submit" name="account" value="this">Continue as {userName}</button>
          <button id="other-account" type="submit" class="secondary" name="account" value="other">Use another account</button>
        </form>
      </section>
    </Frame>
  );
}
