/** @jsxImportSource preact */
import type { UserConfig } from "../../../server/config/user_config.ts";
import { showValue } from "../../util/json_values.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { Secret } from "../parts/copy_text.tsx";
import type { Field } from "../parts/fields.tsx";
import { schemaFields } from "../parts/schema_fields.ts";
import { Tag } from "../parts/tag.tsx";
import { type DirectoryArea, directoryPages } from "./directory_pages.tsx";

/** Returns the fields of a user: two claims that most have, and members of the setting. */
async function fieldsOf(): Promise<Field[]> {
  return [
    { name: "fullName", within: "claims", member: "name", label: "Full name" },
    { name: "email", within: "claims", label: "E-mail" },
    ...await schemaFields("UserConfig", {
      password: { kind: "secret" },
      sub: { label: "Subject" },
      passwordHash: { kind: "hidden" },
      claims: {
        label: "More claims",
        kind: "others",
        within: "claims",
        hint: '{ "email_verified": true, "roles": ["admin"] }',
        rows: 6,
      },
      disabled: { label: "Disabled: cannot sign in, and has no active tokens" },
    }),
  ];
}

/** What the pages show of the users. */
export const userArea: DirectoryArea<UserConfig> = {
  what: "user",
  title: "Users",
  introduction: "Users who can sign in to this lab. Reset restores the original users.",
  directoryOf: (lab) => lab.users,
  nameOf: ({ name }) => name,
  columns: [
    ["Full name", ({ claims, disabled }) => (
      <>
        <bdi>{showValue(claims?.name ?? "")}</bdi> {disabled && <Tag tone="bad">disabled</Tag>}
      </>
    )],
    ["E-mail", ({ claims }) => showValue(claims?.email ?? "")],
    ["Subject", ({ name, sub }) => <code>{sub ?? name}</code>],
    [
      "Password",
      ({ password, passwordHash }) =>
        password === undefined
          ? <span class="muted">{passwordHash === undefined ? "none" : "hashed"}</span>
          : <Secret text={password} />,
    ],
  ],
  key: { name: "name", label: "User name" },
  fieldsOf,
  toEntry: withOnePassword,
};

export const userPages: readonly LabPageRoute[] = directoryPages(userArea);

/** A new password replaces the hash. */
function withOnePassword(user: UserConfig): UserConfig {
  const { passwordHash: _, ...others } = user;
  return user.password === undefined ? user : others;
}
