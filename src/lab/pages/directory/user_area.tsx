/** @jsxImportSource preact */
import type { UserConfig } from "../../../server/config/user_config.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { enteredFields } from "../parts/entered_fields.tsx";
import { objectField, textField, withoutUndefined } from "../parts/read_form.ts";
import { Tag } from "../parts/tag.tsx";
import type { DirectoryArea, FieldValues } from "./directory_area.ts";
import { directoryPages } from "./directory_pages.tsx";

const claimsHint = '{ "email_verified": true, "roles": ["admin"] }';

/** The users of a lab. */
const userArea: DirectoryArea<UserConfig> = {
  what: "user",
  nameField: "name",
  introduction: "Users who can sign in to this lab. Reset restores the original users.",
  directoryOf: (lab) => lab.users,
  nameOf: ({ name }) => name,
  columns: ["Full name", "E-mail", "Subject", "Password"],
  cells: ({ name, sub, password, passwordHash, claims, disabled }) => [
    <>
      <bdi>{textOf(claims?.name)}</bdi> {disabled && <Tag tone="bad">disabled</Tag>}
    </>,
    textOf(claims?.email),
    <code>{sub ?? name}</code>,
    password === undefined
      ? <span class="muted">{passwordHash === undefined ? "none" : "hashed"}</span>
      : <code>{password}</code>,
  ],
  fields: (_lab, values, invalid) => <UserFields {...{ values, invalid }} />,
  fieldOf: (setting) => setting,
  toValues,
  readForm: readUserForm,
};

/** The pages of the users. */
export const userPages: readonly LabPageRoute[] = directoryPages(userArea);

interface UserFieldsProps {
  values: FieldValues;
  invalid: string | undefined;
}

function UserFields({ values, invalid }: UserFieldsProps) {
  const { Text, Area, Check } = enteredFields({ values, invalid });
  return (
    <>
      <div class="fields">
        <Text name="fullName" label="Full name" />
        <Text name="email" label="E-mail" />
        <Text
          name="password"
          label="Password"
          help="Without one, the user signs in with one click."
        />
        <Text
          name="sub"
          label="Subject"
          help="The sub that clients get; the user name if it is empty."
        />
      </div>
      {values.has("passwordHash") && (
        <input type="hidden" name="passwordHash" value={values.get("passwordHash") ?? ""} />
      )}
      <Area name="claims" label="More claims" hint={claimsHint} rows={6} />
      <Check name="disabled" label="Disabled: cannot sign in, and has no active tokens" />
    </>
  );
}

function toValues({ claims = {}, ...user }: UserConfig): FieldValues {
  const { name: fullName, email, ...others } = claims;
  return new URLSearchParams(withoutUndefined({
    fullName: fullName === undefined ? undefined : textOf(fullName),
    email: email === undefined ? undefined : textOf(email),
    password: user.password,
    passwordHash: user.passwordHash,
    sub: user.sub,
    claims: Object.keys(others).length > 0 ? JSON.stringify(others, null, 2) : undefined,
    disabled: user.disabled ? "on" : undefined,
  }) as Record<string, string>);
}

function readUserForm(form: URLSearchParams): UserConfig {
  const claims = {
    ...objectField(form, "claims", "More claims"),
    ...withoutUndefined({ name: textField(form, "fullName"), email: textField(form, "email") }),
  };
  const password = textField(form, "password");
  return withoutUndefined({
    name: textField(form, "name") ?? "",
    sub: textField(form, "sub"),
    password,
    passwordHash: password === undefined ? textField(form, "passwordHash") : undefined,
    claims,
    disabled: form.has("disabled") ? true : undefined,
  }) as UserConfig;
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
