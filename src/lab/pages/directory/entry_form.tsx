/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { TextField } from "../parts/fields.tsx";
import { FormProblem } from "../parts/form_problem.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead } from "../parts/section.tsx";

interface EntryFormProps {
  page: FormOrigin;
  what: "user" | "client";
  nameField: "name" | "id";
  /** The name of the entry; undefined for a new one. */
  name?: string | undefined;
  /** What was entered as the name of a new entry. */
  newName: string;
  problem?: string | undefined;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
  /** The other fields. */
  children: ComponentChildren;
}

/** The form of one user or client, with a second one that removes it. */
export function EntryForm(props: EntryFormProps): VNode {
  const { page, what, nameField, name, newName, problem, invalid, children } = props;
  const isNew = name === undefined;
  return (
    <div class="entry-form">
      <PageHead
        title={isNew ? `New ${what}` : <bdi>{name}</bdi>}
        actions={!isNew && <RemoveForm page={page} what={what} nameField={nameField} name={name} />}
      />
      <LabForm page={page} action={`/save-${what}`} id="entry" class="panel">
        <FormProblem problem={problem} invalid={invalid} />
        {isNew
          ? <NewName nameField={nameField} value={newName} invalid={invalid} />
          : <input type="hidden" name={nameField} value={name} />}
        {children}
        {!isNew && (
          <p>
            <a href={`${page.base}/lab/evaluate?${evaluateQuery(what, name)}`}>
              {what === "user"
                ? "What clients would get for this user"
                : "What this client would get"}
            </a>
          </p>
        )}
        <div class="button-row">
          <button type="submit">{isNew ? `Add the ${what}` : "Save"}</button>
          <a class="button secondary" href={`${page.base}/lab/${what}s`}>Cancel</a>
        </div>
      </LabForm>
    </div>
  );
}

/** Returns the query of the page that evaluates; without a client, it only asks. */
function evaluateQuery(what: EntryFormProps["what"], name: string): string {
  return new URLSearchParams({ [what]: name }).toString();
}

interface NewNameProps extends Pick<EntryFormProps, "nameField" | "invalid"> {
  value: string;
}

function NewName({ nameField, value, invalid }: NewNameProps): VNode {
  return (
    <>
      <input type="hidden" name="new" value="true" />
      <TextField
        name={nameField}
        invalid={invalid}
        label={nameField === "id" ? "Client id" : "User name"}
        value={value}
        help="It cannot be changed later."
        required
      />
    </>
  );
}

type RemoveFormProps = Required<Pick<EntryFormProps, "page" | "what" | "nameField">> & {
  name: string;
};

function RemoveForm({ page, what, nameField, name }: RemoveFormProps): VNode {
  return (
    <LabForm page={page} action={`/remove-${what}`} id="remove">
      <input type="hidden" name={nameField} value={name} />
      <button type="submit" class="danger small">{`Remove this ${what}`}</button>
    </LabForm>
  );
}
