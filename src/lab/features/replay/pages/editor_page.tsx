/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import { SecretsForm } from "../../../pages/flows/message_panel.tsx";
import type { LabPage, LabPageCall } from "../../../pages/page/lab_page.ts";
import { CheckBox, SelectField, TextArea } from "../../../pages/parts/fields.tsx";
import { LabForm, SubmitRow } from "../../../pages/parts/form.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { authenticatesClient, playableClients } from "../edited_request.ts";
import { replayMethods } from "../replay_changes.ts";
import { requireHandler } from "../replay_request.ts";
import {
  choiceOfClient,
  type EditedRow,
  fieldName,
  noClient,
  recordedClient,
  type RowGroup,
  rowsOfExchange,
  rowsOfForm,
} from "./replay_form.ts";

/** How the form is shown: what it was sent with, and why that cannot be done. */
interface EditorOptions {
  withSecrets: boolean;
  form?: URLSearchParams;
  problem?: string;
}

/** The form that changes a recorded request and sends it again. */
export function editorPage(
  lab: CoreLab,
  call: LabPageCall,
  exchange: Exchange,
  options: EditorOptions,
): LabPage {
  const { id, request: { method, path } } = exchange;
  const { withSecrets, problem } = options;
  const here = `${call.base}/lab/exchanges/${id}/edit`;
  return {
    title: `Change and send request ${id} again`,
    area: "flows",
    style: "flows.css",
    isLive: true,
    content: (
      <>
        <PageHead
          title="Change and send again"
          actions={<SecretsForm here={here} withSecrets={withSecrets} />}
        >
          Request {id},{" "}
          <code>
            {method} {path}
          </code>. Change one thing, send it again, and compare what the rules of the server say
          about both.
        </PageHead>
        <LabForm page={call} action={`/exchanges/${id}/edit`} id="edit">
          {problem !== undefined && <p class="alert" id="problem" role="alert">{problem}</p>}
          {withSecrets && <input type="hidden" name="secrets" value="on" />}
          <Section title="Parameters">
            <p class="help">
              Untick one to leave it out. Add one, or repeat one, in an empty row.
              {!withSecrets && " Hidden secrets are sent as they were recorded."}
            </p>
            {rowList(exchange, "parameter", options)}
          </Section>
          {bodyField(exchange, options)}
          {authenticatesClient(exchange.request) &&
            clientChoice(requireHandler(lab, exchange), options)}
          {canChangeMethod(exchange) && methodChoice(exchange, options)}
          <CheckBox
            name="spent"
            checked={options.form?.has("spent") ?? false}
            label="Send spent codes, tokens and proofs as recorded, to see the refusal: the server revokes what it issued for them"
          />
          <Section title="Headers">{rowList(exchange, "header", options)}</Section>
          <SubmitRow stays cancel={`${call.base}/lab/flows/request-${id}?exchange=${id}`}>
            Send
          </SubmitRow>
        </LabForm>
      </>
    ),
  };
}

function rowList(
  exchange: Exchange,
  group: RowGroup,
  { form, withSecrets }: EditorOptions,
): VNode {
  const rows = form ? rowsOfForm(form, group) : rowsOfExchange(exchange, group, withSecrets);
  return <ol class="edited">{rows.map((row, at) => editedRow(group, at, row))}</ol>;
}

/** Each field is named for those who do not see that they are in one row. */
function editedRow(group: RowGroup, at: number, { name, value, isSent }: EditedRow): VNode {
  const [on, nameId, valueId] = (["on", "name", "value"] as const)
    .map((part) => fieldName(group, at, part));
  const what = name === "" ? `new ${group}` : name;
  return (
    <li>
      <input type="checkbox" id={on} name={on} checked={isSent} aria-label={`Send ${what}`} />
      <input
        id={nameId}
        name={nameId}
        value={name}
        placeholder={name === "" ? `new ${group}` : undefined}
        aria-label={`Name of ${what}`}
        autocomplete="off"
        spellcheck={false}
      />
      <input
        id={valueId}
        name={valueId}
        value={value}
        aria-label={`Value of ${what}`}
        autocomplete="off"
        spellcheck={false}
      />
    </li>
  );
}

/** The body of a request without a form. With hidden secrets, it would be sent without them. */
function bodyField(exchange: Exchange, { withSecrets, form }: EditorOptions): VNode | null {
  const { body, form: { size } } = exchange.request;
  if (body === "" || size > 0) return null;
  const shown = withSecrets ? body : redact(exchange).request.body;
  const value = form?.get("body") ?? shown;
  if (shown === body) return <TextArea name="body" label="Body" value={value} rows={8} />;
  return (
    <Section title="Body">
      <p class="help">Show the secrets to edit it.</p>
      <pre>{value}</pre>
    </Section>
  );
}

function clientChoice(lab: CoreLab, { form }: EditorOptions): VNode {
  return (
    <Section title="Client authentication">
      <SelectField
        name="client"
        label="Authenticate"
        value={form?.get("client") ?? recordedClient}
        choices={[
          [recordedClient, "as it was recorded, or as edited above"],
          [noClient, "not at all: name the client only"],
          ...playableClients(lab).map((id) =>
            [choiceOfClient(id), `as ${id}, with what the lab knows`] as const
          ),
        ]}
      />
    </Section>
  );
}

/** A GET cannot carry a body that is not a form. */
function canChangeMethod({ request: { method, body, form } }: Exchange): boolean {
  return replayMethods.some((each) => each === method) && (body === "" || form.size > 0);
}

function methodChoice({ request }: Exchange, { form }: EditorOptions): VNode {
  return (
    <Section title="Method">
      <p class="help">The parameters are sent in the query of a GET, and in the form of a POST.</p>
      <SelectField
        name="method"
        label="Method"
        value={form?.get("method") ?? request.method}
        choices={replayMethods.map((each) => [each, each] as const)}
      />
    </Section>
  );
}
