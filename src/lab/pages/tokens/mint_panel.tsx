/** @jsxImportSource preact */
import type { VNode } from "preact";
import { TextArea, TextField } from "../parts/fields.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { Section } from "../parts/section.tsx";

const claimsHint = '{ "roles": ["admin"] }';
const headerHint = '{ "typ": "JWT", "kid": null }';

const kinds = [
  ["access", "Access token"],
  ["id", "ID token"],
  ["refresh", "Refresh token"],
  ["logout", "Logout token"],
] as const;

interface MintPanelProps {
  page: FormOrigin;
  users: readonly string[];
  clients: readonly string[];
  /** The fields as they were sent. */
  values: URLSearchParams;
  problem?: string | undefined;
}

/** The form that mints tokens. */
export function MintPanel(props: MintPanelProps): VNode {
  const { page, users, clients, values, problem } = props;
  const value = (name: string) => values.get(name) ?? "";
  return (
    <Section title="Mint a token">
      <LabForm page={page} action="/tokens/mint#result" id="mint">
        {problem !== undefined && <p class="alert" id="mint-problem" role="alert">{problem}</p>}
        <div class="fields">
          <TextField
            name="sub"
            label="For whom"
            value={value("sub") || users[0] || ""}
            options={[...users, ...clients]}
            help="A user, a client for itself, or any subject."
          />
          <div>
            <label for="kind">Kind</label>
            <select id="kind" name="kind">
              {kinds.map(([kind, label]) => (
                <option value={kind} selected={value("kind") === kind}>{label}</option>
              ))}
            </select>
          </div>
          <TextField
            name="client"
            label="Client"
            value={value("client")}
            options={clients}
            hint={clients[0]}
          />
          <TextField
            name="scope"
            label="Scope"
            value={value("scope")}
            hint="the default of the client"
            help="With openid there is an ID token, with offline_access a refresh token."
          />
        </div>
        <details
          id="more-mint"
          open={["expiresIn", "audience", "claims", "omit", "header"].some(value)}
        >
          <summary>More</summary>
          <div class="fields">
            <TextField
              name="expiresIn"
              label="Expires in"
              value={value("expiresIn")}
              hint="1h, or -1m: already expired"
            />
            <TextField name="audience" label="Audience" value={value("audience")} />
            <TextField
              name="omit"
              label="Claims to leave out"
              value={value("omit")}
              hint="exp nbf"
            />
          </div>
          <TextArea
            name="claims"
            label="Additional claims"
            value={value("claims")}
            hint={claimsHint}
          />
          <TextArea
            name="header"
            label="Header"
            value={value("header")}
            hint={headerHint}
          />
        </details>
        <button type="submit">Mint</button>
      </LabForm>
    </Section>
  );
}
