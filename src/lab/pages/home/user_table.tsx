/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { showValue } from "../../util/show_value.ts";
import { Section } from "../parts/section.tsx";

/** The users, who can sign in with one click or with their password. */
export function UserTable({ users }: { users: readonly UserConfig[] }): VNode {
  return (
    <Section title="Users" id="users">
      <table class="stacking">
        <thead>
          <tr>
            <th scope="col">User name</th>
            <th scope="col">Password</th>
            <th scope="col">Name</th>
            <th scope="col">E-mail</th>
          </tr>
        </thead>
        <tbody>
          {users.map(({ name, password, claims }) => (
            <tr>
              <td data-label="User name">
                <code>{name}</code>
              </td>
              <td data-label="Password">
                <code>{password}</code>
              </td>
              <td data-label="Name">
                <bdi>{showValue(claims?.name ?? "")}</bdi>
              </td>
              <td data-label="E-mail">{showValue(claims?.email ?? "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
