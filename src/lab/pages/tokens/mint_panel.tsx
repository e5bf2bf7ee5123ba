/** @jsxImportSource preact */
import type { VNode } from "preact";
import { enteredFields } from "../parts/entered_fields.tsx";
import { TextField } from "../parts/fields.tsx";
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
  const { Text, Area } = enteredFields({ values });
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
          <Text name="client" label="Client" options={clients} hint={clients[0]} />
          <Text
            name="scope"
            label="Scope"
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
            <Text name="expiresIn" label="Expires in" hint="1h, or -1m: already expired" />
            <Text name="audience" label="Audience" />
            <Text name="omit" label="Claims to leave out" hint="exp nbf" />
          </div>
          <Area name="claims" label="Additional claims" hint={claimsHint} />
          <Area name="header" label="Header" hint={headerHint} />
        </details>
        <button type="submit">Mint</button>
      </LabForm>
    </Section>
  );
}
