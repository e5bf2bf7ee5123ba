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
  /** What is asked for by name, beyond the scopes. */
  claims: string[];
  /** What is asked for in detail (RFC 9396). */
  details: Array<{ type: string; meaning: string; members: Array<{ name: string; value: string }> }>;
  resources: string[];
  /** Where the browser goes next; nowhere, if a device asks. */
  redirectUri?: string;
  /** Where a client that the operator does not know claims to be from. */
  strangerFrom?: string;
}

export function Consent(props: ConsentProps) {
  const { action, formToken, clientName, account, scopes, claims, details, resources, redirectUri, strangerFrom } = props;
  return (
    <Frame {...props} title="Allow access" width="narrow">
      <section class="card">
        <h1>Allow access?</h1>
        <p class="lead">
          <strong>{clientName}</strong> asks for the following, on behalf of <strong>{account.userName}</strong>:
        </p>
        {strangerFrom && (
          <p class="alert" id="stranger">
            This application registered itself, as <code>{strangerFrom}</code>. Nobody here has checked who it is.
          </p>
        )}
        {details.map(({ type, meaning, members }) => (
          <div class="detail">
            <h2>{meaning}</h2>
            <dl class="members" title={type}>
              {members.map(({ name, value }) => (
                <div>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
        {scopes.length > 0 && (
          <ul class="scopes">
            {scopes.map(({ name, meaning }) => (
              <li>
                <code>{name}</code>
                {meaning && <span>{meaning}</span>}
              </li>
            ))}
          </ul>
        )}
        <Detail title="And to see about you" entries={claims} />
        <Detail title="To be used at" entries={resources} />
        <form id="consent" class="choices" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <button id="allow" type="submit" name="decision" value="allow">Allow</button>
          <button id="deny" type="submit" class="secondary" name="decision" value="deny">Deny</button>
        </form>
        {redirectUri
          ? (
            <p class="fine">
              You will go on to <code>{redirectUri}</code>.
            </p>
          )
          : (
            <p class="fine" id="device-warning">
              This is for a device that showed you a code. Allow it only if you hold that device in your hands and started this on it
              yourself.
            </p>
          )}
      </section>
      <form id="change-account" class="aside" method="post" action={account.action}>
        <input type="hidden" name="form_token" value={account.formToken} />
        Not {account.userName}? <button class="link" type="submit" name="account" value="other">Use another account</button>
      </form>
    </Frame>
  );
}

function Detail({ title, entries }: { title: string; entries: string[] }) {
  if (entries.length === 0) return null;
  return (
    <div class="detail">
      <h2>{title}</h2>
      <ul>
        {entries.map((entry) => (
          <li>
            <code>{entry}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
