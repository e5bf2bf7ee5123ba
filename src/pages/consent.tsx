/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface ConsentProps extends FrameProps {
  action: string;
  formToken: string;
  accountToken: string;
  clientName: string;
  userName: string;
  /** Exactly what is asked for, in the words of the protocol and in plain ones. */
  scopes: Array<{ name: string; meaning: string }>;
  resources: string[];
  /** Where the browser goes next. */
  redirectUri: string;
}

export function Consent(props: ConsentProps) {
  const { action, formToken, accountToken, clientName, userName, scopes, resources, redirectUri } = props;
  return (
    <Frame {...props} title="Allow access" width="narrow">
      <section class="card">
        <h1>Allow access?</h1>
        <p class="lead">
          <strong>{clientName}</strong> asks for the following, on behalf of <strong>{userName}</strong>:
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
        <form id="consent" class="choices" method="post" action={`${action}/consent`}>
          <input type="hidden" name="form_token" value={formToken} />
          <button id="allow" type="submit" name="decision" value="allow">Allow</button>
          <button id="deny" type="submit" class="secondary" name="decision" value="deny">Deny</button>
        </form>
        <p class="fine">
          You will go on to <code>{redirectUri}</code>.
        </p>
      </section>
      <form id="change-account" class="aside" method="post" action={`${action}/account`}>
        <input type="hidden" name="form_token" value={accountToken} />
        Not {userName}? <button class="link" type="submit" name="account" value="other">Use another account</button>
      </form>
    </Frame>
  );
}
