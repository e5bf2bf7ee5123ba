/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";
import type { AccountForm } from "./select_account.tsx";

export interface ConsentProps extends FrameProps {
  /** Where the answer is sent. */
  action: string;
  formToken: string;
  clientName: string;
  account: AccountForm;
  /** Exactly what is asked for, in the words of the protocol and in plain ones. */
  scopes: Array<{ name: string; meaning: string }>;
  resources: string[];
  /** Where the browser goes next. */
  redirectUri: string;
}

export function Consent(props: ConsentProps) {
  const { action, formToken, clientName, account, scopes, resources, redirectUri } = props;
  return (
    <Frame {...props} title="Allow access" width="narrow">
      <section class="card">
        <h1>Allow access?</h1>
        <p class="lead">
          <strong>{clientName}</strong> asks for the following, on behalf of <strong>{account.userName}</strong>:
        </p>
        <ul class="scopes">
          {scopes.map(({ name, meaning }) => (
            <li>
              <code>{name}</code>
              {meaning && <span>{meaning}</span>}
            </li>
          ))}
        </ul>
        {resources.length > 0 && (
          <div class="detail">
            <h2>To be used at</h2>
            <ul>
              {resources.map((resource) => (
                <li>
                  <code>{resource}</code>
                </li>
              ))}
            </ul>
          </div>
        )}
        <form id="consent" class="choices" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <button id="allow" type="submit" name="decision" value="allow">Allow</button>
          <button id="deny" type="submit" class="secondary" name="decision" value="deny">Deny</button>
        </form>
        <p class="fine">
          You will go on to <code>{redirectUri}</code>.
        </p>
      </section>
      <form id="change-account" class="aside" method="post" action={account.action}>
        <input type="hidden" name="form_token" value={account.formToken} />
        Not {account.userName}? <button class="link" type="submit" name="account" value="other">Use another account</button>
      </form>
    </Frame>
  );
}
