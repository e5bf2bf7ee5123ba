/** @jsxImportSource preact */
import type { VNode } from "preact";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { enteredFields } from "../parts/entered_fields.tsx";
import { CheckBox } from "../parts/fields.tsx";
import { type Choice, FilterSelect } from "../parts/filter_form.tsx";
import { Section } from "../parts/section.tsx";

const grants: readonly Choice[] = [
  ["authorization_code", "Authorization code"],
  ["refresh_token", "First refresh"],
  ["client_credentials", "Client credentials"],
  [deviceCodeGrantType, "Device code"],
];

const moreFields = ["resource", "claims", "acr_values", "prompt"];

interface EvaluateFormProps {
  action: string;
  users: readonly string[];
  clients: readonly string[];
  scopes: readonly string[];
  query: URLSearchParams;
  invalid: string | undefined;
}

/** The question. It is sent by GET, so that its address can be shared. */
export function EvaluateForm(props: EvaluateFormProps): VNode {
  const { action, users, clients, scopes, query } = props;
  const asked = query.getAll("scope").flatMap((each) => each.split(" "));
  return (
    <Section title="Who asks for what">
      <form method="get" action={action} id="evaluate">
        <div class="fields">
          <FilterSelect
            name="user"
            label="User"
            none="none: the client for itself"
            choices={users.map((name) => [name, name])}
            query={withFirst(query, "user", users)}
          />
          <ClientSelect clients={clients} chosen={query.get("client")} />
          <FilterSelect
            name="grant"
            label="Grant"
            none="the usual one"
            choices={grants}
            query={query}
          />
        </div>
        <fieldset id="evaluate-scopes">
          <legend>Scope</legend>
          <div class="scope-choices">
            {[...new Set([...scopes, ...asked.filter(Boolean)])].map((scope) => (
              <CheckBox name="scope" value={scope} checked={asked.includes(scope)} label={scope} />
            ))}
          </div>
          <p class="help">Without a scope, the request has the default scope of the client.</p>
        </fieldset>
        <MoreFields {...props} />
        <button type="submit">Evaluate</button>
      </form>
    </Section>
  );
}

/** A page without a question begins with the first user. */
function withFirst(
  query: URLSearchParams,
  name: string,
  values: readonly string[],
): URLSearchParams {
  return query.has(name) ? query : new URLSearchParams({ [name]: values[0] ?? "" });
}

interface ClientSelectProps {
  clients: readonly string[];
  chosen: string | null;
}

function ClientSelect({ clients, chosen }: ClientSelectProps): VNode {
  // A registered client is not in the list, but a link may name it.
  const all = [...new Set([...clients, ...chosen ? [chosen] : []])];
  return (
    <div>
      <label for="client">Client</label>
      <select id="client" name="client">
        {all.map((id) => <option value={id} selected={id === chosen}>{id}</option>)}
      </select>
    </div>
  );
}

function MoreFields({ query, invalid }: EvaluateFormProps): VNode {
  const { Text, Area } = enteredFields({ values: query, invalid });
  const value = (name: string) => query.get(name) ?? "";
  return (
    <details id="more-evaluate" open={moreFields.some(value)}>
      <summary>More parameters</summary>
      <div class="fields">
        <Text name="resource" label="resource" />
        <Text name="acr_values" label="acr_values" />
        <Text name="prompt" label="prompt" options={["consent", "login"]} />
      </div>
      <Area name="claims" label="claims" hint='{ "userinfo": { "email": null } }' />
    </details>
  );
}
