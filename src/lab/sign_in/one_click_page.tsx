/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../server/config/user_config.ts";
import { SignIn, type SignInProps } from "../../server/pages/sign_in.tsx";
import { showValue } from "../util/json_values.ts";
import type { LabError } from "../util/lab_error.ts";
import { claimsField } from "./unknown_users.ts";

/** More users would push the password out of view: a field finds the others by their names. */
const maxButtons = 10;

interface OneClickProps extends SignInProps {
  users: readonly UserConfig[];
  acrValues: readonly string[];
  /** Whether the lab has passkeys, which then need no device here. */
  takesFactor: boolean;
  /** The fields for a user whom the lab does not know; undefined if it refuses them. */
  unknownFields?: VNode | undefined;
  /** Why there cannot be the user of the form that was sent. */
  problem?: LabError | undefined;
}

const problemId = "other-user-problem";

/** The attributes of the field that a refusal is about. */
export const refusedField = { "aria-invalid": true, "aria-describedby": problemId };

/**
 * The sign-in page with a button for each of the first users, and a field that finds the others.
 */
export function OneClickSignIn({ users, ...props }: OneClickProps): VNode {
  const { language, acrValues, takesFactor, action, formToken, username, unknownFields } = props;
  const details = { language, acrValues, takesFactor };
  const isExpected = ({ name }: UserConfig) => name === username;
  // Of many users, the expected one comes first.
  const sorted = users.length <= maxButtons
    ? users
    : [...users.filter(isExpected), ...users.filter((user) => !isExpected(user))];
  const [shown, others] = [sorted.slice(0, maxButtons), sorted.slice(maxButtons)];
  return (
    <SignIn {...props}>
      {props.children}
      <section class="one-click">
        <h2>{language.words.signIn.oneClick}</h2>
        <form id="one-click" class="choices stacked" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          {/* Enter in a field of the details presses this one, and not that of the first user. */}
          <div hidden>
            <button type="submit" disabled />
          </div>
          {shown.map((user) => <UserButton user={user} />)}
          <Details {...details} form="chosen" />
        </form>
        {(others.length > 0 || unknownFields) && <OtherUser {...props} users={others} />}
      </section>
    </SignIn>
  );
}

function UserButton({ user }: { user: UserConfig }): VNode {
  const { name, claims = {} } = user;
  const fullName = claims.name === undefined ? name : showValue(claims.name);
  return (
    <button
      type="submit"
      class="secondary user"
      id={`one-click-${name}`}
      name="one_click"
      value={name}
    >
      <bdi class="name">{fullName}</bdi>
      <span class="fine">{describeUser(user)}</span>
    </button>
  );
}

/** The fields that `readChosenSignIn` reads. Each form has its own. */
function Details(
  { language, acrValues, takesFactor, form, unknownFields, problem }:
    & Pick<OneClickProps, "language" | "acrValues" | "takesFactor" | "unknownFields" | "problem">
    & { form: string },
): VNode {
  const { details, asRequested } = language.words.signIn;
  const values = `${form}-acr-values`;
  return (
    <details open={problem?.field === claimsField}>
      <summary>{details}</summary>
      {unknownFields}
      <DetailField form={form} name="acr" placeholder={asRequested} list={values} />
      <datalist id={values}>
        {acrValues.map((value) => <option value={value} />)}
      </datalist>
      <DetailField form={form} name="amr" placeholder="pwd otp" />
      <DetailField form={form} name="auth_time" placeholder="-1h, 2030-01-01T00:00:00Z" />
      {takesFactor && <DetailField form={form} name="factor" placeholder="passkey" />}
    </details>
  );
}

function DetailField(
  { form, name, ...attributes }: { form: string; name: string; placeholder: string; list?: string },
): VNode {
  const id = `${form}-${name}`;
  return (
    <>
      <label for={id}>
        <code>{name}</code>
      </label>
      <input
        type="text"
        id={id}
        name={name}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        {...attributes}
      />
    </>
  );
}

/** A separate form, so that Enter in its field does not press the button of the first user. */
function OtherUser({ users, action, formToken, ...props }: OneClickProps): VNode {
  const { language, unknownFields, problem, sent } = props;
  const { signIn, common } = language.words;
  return (
    <form id="other-user" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      {problem && <p class="alert" id={problemId} role="alert">{problem.message}</p>}
      <label for="other-user-name">
        {unknownFields ? signIn.unknownUser : signIn.otherUser}
      </label>
      <div class="choices">
        <input
          id="other-user-name"
          name="one_click"
          list="other-users"
          value={problem && sent?.get("one_click")}
          {...problem && problem.field !== claimsField && refusedField}
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <button id="other-user-button" type="submit" class="secondary">{common.signIn}</button>
      </div>
      <datalist id="other-users">
        {users.map((user) => <option value={user.name}>{labelOf(user)}</option>)}
      </datalist>
      <Details {...props} form="other" />
    </form>
  );
}

function labelOf(user: UserConfig): string {
  const { name } = user.claims ?? {};
  return [name === undefined ? undefined : showValue(name), describeUser(user)]
    .filter(Boolean).join(" · ");
}

/** Returns the user name, and the e-mail address if there is one. */
function describeUser({ name, claims = {} }: UserConfig): string {
  const { email } = claims;
  return email === undefined ? name : `${name} · ${showValue(email)}`;
}
