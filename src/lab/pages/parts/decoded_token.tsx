/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ExplainedMember, Verdict } from "../../tokens/explain_jwt.ts";
import type { ExplainedToken } from "../../tokens/explain_token.ts";
import { Tag } from "./tag.tsx";

interface DecodedTokenProps {
  token: ExplainedToken;
  /** What it is called where it was found: "access_token". */
  label?: string | undefined;
}

/** A decoded JWT: what it is, whether it is valid, and what each member means. */
export function DecodedToken({ token, label }: DecodedTokenProps): VNode {
  const { jwt, signature, state } = token;
  return (
    <div class="decoded">
      <p class="decoded-name">
        <strong>{jwt.name}</strong> {label && <code>{label}</code>}
      </p>
      <ul class="verdicts">
        <VerdictLine verdict={signature} />
        <VerdictLine verdict={jwt.validity} />
        {state && <VerdictLine verdict={state} />}
      </ul>
      <MemberTable title="Header" members={jwt.explainedHeader} />
      <MemberTable title="Claims" members={jwt.explainedClaims} />
    </div>
  );
}

const words = { good: "valid", bad: "invalid", neutral: "note" } as const;

function VerdictLine({ verdict: { tone, text } }: { verdict: Verdict }): VNode {
  return (
    <li>
      <Tag tone={tone}>{words[tone]}</Tag> {text}
    </li>
  );
}

interface MemberTableProps {
  title: string;
  members: readonly ExplainedMember[];
}

function MemberTable({ title, members }: MemberTableProps): VNode {
  return (
    <table class="claims">
      <caption>{title}</caption>
      <tbody>
        {members.map((member) => <MemberRow member={member} />)}
      </tbody>
    </table>
  );
}

function MemberRow({ member: { name, value, inWords, note } }: { member: ExplainedMember }): VNode {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        <code class="value">{value}</code>
        {inWords && <span class="in-words">{inWords}</span>}
        {note && (
          <p class="help">
            {note.says} <span class="see">{note.see}</span>
          </p>
        )}
      </td>
    </tr>
  );
}
