/** @jsxImportSource preact */
import type { ClientConfig } from "../../../server/features.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { enteredFields } from "../parts/entered_fields.tsx";
import { CheckBox } from "../parts/fields.tsx";
import {
  linesField,
  objectField,
  textField,
  withoutUndefined,
  wordsField,
} from "../parts/read_form.ts";
import { Tag } from "../parts/tag.tsx";
import type { DirectoryArea, FieldValues } from "./directory_area.ts";
import { directoryPages } from "./directory_pages.tsx";
import { otherClients } from "./other_clients.tsx";
import { UriList } from "./uri_list.tsx";

const settingsHint = '{ "requirePar": true, "idTokenAlg": "ES256" }';

/** The configured clients of a lab. */
const clientArea: DirectoryArea<ClientConfig> = {
  what: "client",
  nameField: "id",
  introduction: "Applications that this lab knows. Reset restores the original clients.",
  directoryOf: (lab) => lab.clients,
  nameOf: ({ id }) => id,
  columns: ["Name", "Kind", "Secret", "Redirect URIs"],
  cells: (client) => [
    client.name === undefined ? "" : <bdi>{client.name}</bdi>,
    <Tag>{kindOf(client)}</Tag>,
    client.secret === undefined ? <span class="muted">none</span> : <code>{client.secret}</code>,
    <UriList uris={client.redirectUris} />,
  ],
  fields: (lab, values, invalid) => <ClientFields {...{ lab, values, invalid }} />,
  fieldOf: (setting) => fields[setting] ?? "others",
  others: otherClients,
  toValues,
  readForm: readClientForm,
};

/** The pages of the clients. */
export const clientPages: readonly LabPageRoute[] = directoryPages(clientArea);

/** Returns what kind of client it is, by how it authenticates. */
function kindOf({ secret, jwks, jwksUri, native, redirectUris }: ClientConfig): string {
  if (native) return "native";
  // A client with a secret may have a key, too: for its request objects.
  if (secret === undefined) return jwks || jwksUri ? "key" : "public";
  return redirectUris?.length ? "confidential" : "service";
}

/** The fields of the form by the settings of a client; any other setting is in the last one. */
const fields: Readonly<Record<string, string>> = {
  id: "id",
  name: "clientName",
  secret: "secret",
  redirectUris: "redirectUris",
  scopes: "scopes",
};

interface ClientFieldsProps {
  lab: CoreLab;
  values: FieldValues;
  invalid: string | undefined;
}

function ClientFields({ lab, values, invalid }: ClientFieldsProps) {
  const { Text, Area, Check } = enteredFields({ values, invalid });
  const chosen = values.getAll("grantTypes");
  return (
    <>
      <div class="fields">
        <Text name="clientName" label="Name" hint="the client id" />
        <Text name="secret" label="Secret" help="A client without a secret is public." />
      </div>
      <Area
        name="redirectUris"
        label="Redirect URIs"
        hint="http://localhost:3000/callback"
        help="One per line, exactly as the client sends them."
        rows={3}
      />
      <Text
        name="scopes"
        label="Scopes"
        help="Scopes the client may request. Leave empty to allow all."
      />
      <fieldset>
        <legend>Grants</legend>
        <div class="checks">
          {lab.context.settings.grantTypes.map((type) => (
            <CheckBox name="grantTypes" value={type} checked={chosen.includes(type)} label={type} />
          ))}
        </div>
        <p class="help">
          If none is selected: code and refresh token with redirect URIs, otherwise client
          credentials.
        </p>
      </fieldset>
      <Check name="native" label="Native: its loopback redirect URIs match on any port" />
      <details id="more-client" open={Boolean(values.get("others")) || invalid === "others"}>
        <summary>All other settings</summary>
        <Area
          name="others"
          label="Settings in JSON"
          hint={settingsHint}
          help="Any setting of a client in the configuration."
          rows={8}
        />
      </details>
    </>
  );
}

function toValues(client: ClientConfig): FieldValues {
  const { id: _, name, secret, redirectUris, scopes, grantTypes = [], native, ...others } = client;
  const values = new URLSearchParams(withoutUndefined({
    clientName: name,
    secret,
    redirectUris: redirectUris?.join("\n"),
    scopes: scopes?.join(" "),
    native: native ? "on" : undefined,
    others: Object.keys(others).length > 0 ? JSON.stringify(others, null, 2) : undefined,
  }) as Record<string, string>);
  for (const type of grantTypes) values.append("grantTypes", type);
  return values;
}

function readClientForm(form: URLSearchParams): ClientConfig {
  const grantTypes = form.getAll("grantTypes");
  const fields = withoutUndefined({
    id: textField(form, "id") ?? "",
    name: textField(form, "clientName"),
    secret: textField(form, "secret"),
    redirectUris: linesField(form, "redirectUris"),
    scopes: wordsField(form, "scopes"),
    grantTypes: grantTypes.length > 0 ? grantTypes : undefined,
    native: form.has("native") ? true : undefined,
  });
  return { ...objectField(form, "others", "Settings in JSON"), ...fields } as ClientConfig;
}
