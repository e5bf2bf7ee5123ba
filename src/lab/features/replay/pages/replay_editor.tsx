/** @jsxImportSource preact */
import type { VNode } from "preact";
import { SecretsForm } from "../../../pages/flows/secrets_form.tsx";
import { CheckBox, TextArea } from "../../../pages/parts/fields.tsx";
import { type FormOrigin, LabForm } from "../../../pages/parts/lab_form.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { replayMethods } from "../replay_changes.ts";
import { clientChoice, noClient, recordedClient } from "./read_replay_form.ts";
import { type EditedRow, fieldName, type RowGroup } from "./replay_rows.ts";

/** A body in the form that edits a request. */
export interface EditedBody {
  text: string;
  /** Whether secrets are hidden in it: an edited one would be sent without them. */
  hidesSecrets: boolean;
}

/** What the form that edits a request shows. */
export interface EditorView {
  id: number;
  method: string;
  /** Undefined if the request cannot be sent with another method. */
  chosenMethod: string | undefined;
  path: string;
  parameters: readonly EditedRow[];
  headers: readonly EditedRow[];
  /** The body of a request without a form. */
  body: EditedBody | undefined;
  /** Whether it goes to the lab as it is now; undefined if it always does. */
  isNow: boolean | undefined;
  /** The clients that can authenticate; undefined where none does. */
  clients: readonly string[] | undefined;
  chosenClient: string;
  withSecrets: boolean;
  problem: string | undefined;
}

interface ReplayEditorProps {
  page: FormOrigin;
  view: EditorView;
}

/** The form that changes a recorded request and sends it again. */
export function ReplayEditor({ page, view }: ReplayEditorProps): VNode {
  const { id, method, path, withSecrets, problem, isNow, clients } = view;
  const { chosenMethod } = view;
  const here = `${page.base}/lab/exchanges/${id}/edit`;
  return (
    <>
      <PageHead
        title="Change and replay"
        actions={<SecretsForm here={here} withSecrets={withSecrets} />}
      >
        Request {id},{" "}
        <code>
          {method} {path}
        </code>. Change one thing, send it again, and compare what the rules of the server say about
        both.
      </PageHead>
      <LabForm page={page} action={`/exchanges/${id}/edit`} id="edit">
        {problem !== undefined && <p class="alert" id="problem" role="alert">{problem}</p>}
        {withSecrets && <input type="hidden" name="secrets" value="on" />}
        <Section title="Parameters">
          <p class="help">
            Untick one to leave it out. Add one, or repeat one, in an empty row.
            {!withSecrets && " Hidden secrets are sent as they were recorded."}
          </p>
          <Rows group="parameter" rows={view.parameters} />
        </Section>
        {view.body && <Body {...view.body} />}
        {isNow !== undefined && <TimeChoice id={id} isNow={isNow} />}
        {clients && <ClientChoice clients={clients} chosen={view.chosenClient} />}
        {chosenMethod !== undefined && <MethodChoice chosen={chosenMethod} />}
        <Section title="Headers">
          <Rows group="header" rows={view.headers} />
        </Section>
        <div class="button-row">
          <button type="submit">Send</button>
          <a class="button secondary" href={`${page.base}/lab/flows/request-${id}?exchange=${id}`}>
            Cancel
          </a>
        </div>
      </LabForm>
    </>
  );
}

function Body({ text, hidesSecrets }: EditedBody): VNode {
  if (!hidesSecrets) return <TextArea name="body" label="Body" value={text} rows={8} />;
  return (
    <Section title="Body">
      <p class="help">Show the secrets to edit it.</p>
      <pre>{text}</pre>
    </Section>
  );
}

function Rows({ group, rows }: { group: RowGroup; rows: readonly EditedRow[] }): VNode {
  return (
    <ol class="edited">
      {rows.map((row, at) => <Row group={group} at={at} row={row} />)}
    </ol>
  );
}

/** Each field is named for those who do not see that they are in one row. */
function Row({ group, at, row }: { group: RowGroup; at: number; row: EditedRow }): VNode {
  const { name, value, isSent } = row;
  const id = (part: "name" | "value" | "on") => fieldName(group, at, part);
  const what = name === "" ? `new ${group}` : name;
  return (
    <li>
      <input
        type="checkbox"
        id={id("on")}
        name={id("on")}
        checked={isSent}
        aria-label={`Send ${what}`}
      />
      <input
        id={id("name")}
        name={id("name")}
        value={name}
        placeholder={name === "" ? `new ${group}` : undefined}
        aria-label={`Name of ${what}`}
        autocomplete="off"
        spellcheck={false}
      />
      <input
        id={id("value")}
        name={id("value")}
        value={value}
        aria-label={`Value of ${what}`}
        autocomplete="off"
        spellcheck={false}
      />
    </li>
  );
}

function TimeChoice({ id, isNow }: { id: number; isNow: boolean }): VNode {
  return (
    <Section title="Time" id="time">
      <p class="help">
        It goes to a copy of the lab as it was when request {id}{" "}
        came: the same codes, sessions, users and settings, at the same time. The lab keeps nothing
        of it.
      </p>
      <CheckBox
        name="now"
        checked={isNow}
        label="Send it to the lab as it is now, to see how a second use is refused"
      />
    </Section>
  );
}

function ClientChoice({ clients, chosen }: { clients: readonly string[]; chosen: string }): VNode {
  return (
    <Section title="Client authentication">
      <label for="client">Authenticate</label>
      <select id="client" name="client">
        <option value={recordedClient}>as it was recorded, or as edited above</option>
        <option value={noClient} selected={chosen === noClient}>
          not at all: name the client only
        </option>
        {clients.map((id) => (
          <option value={clientChoice(id)} selected={chosen === clientChoice(id)}>
            as {id}, with what the lab knows
          </option>
        ))}
      </select>
    </Section>
  );
}

function MethodChoice({ chosen }: { chosen: string }): VNode {
  return (
    <Section title="Method">
      <p class="help">The parameters are sent in the query of a GET, and in the form of a POST.</p>
      <label for="method">Method</label>
      <select id="method" name="method">
        {replayMethods.map((each) => <option value={each} selected={each === chosen}>{each}
        </option>)}
      </select>
    </Section>
  );
}
