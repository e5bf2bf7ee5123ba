/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { showValue } from "../../util/json_values.ts";
import { Section } from "../parts/section.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { firstEntries, linkToAll } from "./link_to_all.tsx";

/** The first users, who can sign in with one click or with their password. */
export function userTable(lab: CoreLab, base: string, maySeeSecrets: boolean): VNode {
  const users = lab.users.list();
  const columns: ReadonlyArray<Column<UserConfig>> = [
    ["User name", ({ name }) => <code>{name}</code>, { class: "first-line" }],
    ["Password", ({ password }) => <code>{maySeeSecrets && password}</code>, { isLabeled: true }],
    ["Name and e-mail", ({ claims }) => (
      <>
        <bdi>{showValue(claims?.name ?? "")}</bdi>{" "}
        <span class="help">{showValue(claims?.email ?? "")}</span>
      </>
    )],
  ];
  return (
    <Section title="Users" id="users" actions={linkToAll(base, "users", users.length)}>
      <Table columns={columns} entries={firstEntries(users)} isCompact />
    </Section>
  );
}
