/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { showValue } from "../../util/show_value.ts";
import { Section } from "../parts/section.tsx";
import { LinkToAll, listed } from "./link_to_all.tsx";

interface UserTableProps {
  base: string;
  users: readonly UserConfig[];
}

/** The first users, who can sign in with one click or with their password. */
export function UserTable({ base, users }: UserTableProps): VNode {
  const all = <LinkToAll href={`${base}/lab/users`} what="users" count={users.length} />;
  return (
    <Section title="Users" id="users" actions={all}>
      <table class="stacking compact">
        <thead>
          <tr>
            <th scope="col">User name</th>
            <th scope="col">Password</th>
            <th scope="col">Name and e-mail</th>
          </tr>
        </thead>
        <tbody>
          {listed(users).map(({ name, password, claims }) => (
            <tr>
              <td class="first-line">
                <code>{name}</code>
              </td>
              <td data-label="Password">
                <code>{password}</code>
              </td>
              <td>
                <bdi>{showValue(claims?.name ?? "")}</bdi>{" "}
                <span class="help">{showValue(claims?.email ?? "")}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
