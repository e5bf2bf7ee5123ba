/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ExplainedMember, JwtVerdict } from "../../tokens/explain_jwt.ts";
import type { ExplainedToken } from "../../tokens/explain_token.ts";
import { Facts } from "./tables.tsx";
import { Tag } from "./tag.tsx";

/** A decoded JWT: what it is, whether it is valid, and what each member means. */
export function DecodedToken({ token, label, showsText }: {
  token: ExplainedToken;
  /** What it is called where it was found: "access_token". */
  label?: string | undefined;
  /** Whether the token itself is shown, with a button that copies it. */
  showsText?: boolean;
}): VNode {
  const { jwt } = token;
  return (
    <div class="decoded">
      <p class="decoded-name">
        <strong>{jwt.name}</strong> {label && <code>{label}</code>}
      </p>
      <Verdicts verdicts={verdictsOf(token)} />
      {showsText && tokenText(jwt.parts, label ?? jwt.name)}
      {memberTable("Header", jwt.explainedHeader)}
      {memberTable("Claims", jwt.explainedClaims)}
    </div>
  );
}

/** What checks found out, each with a word for it. */
export function Verdicts(
  { verdicts }: { verdicts: ReadonlyArray<JwtVerdict & { word?: string }> },
): VNode {
  return (
    <ul class="verdicts">
      {verdicts.map(({ tone, word = words[tone], text }) => (
        <li>
          <Tag tone={tone}>{word}</Tag> {text}
        </li>
      ))}
    </ul>
  );
}

/** The parts as they were sent, each in its own color. */
function tokenText([header, claims, signature]: readonly string[], label: string): VNode {
  return (
    <pre class="code jwt"><code data-copy={label}><span class="jwt-header">{header}</span>.<span class="jwt-claims">{claims}</span>.<span class="jwt-signature">{signature}</span></code></pre>
  );
}

const words = { good: "valid", bad: "invalid", neutral: "note" } as const;

export function ValidityTag({ token }: { token: ExplainedToken }): VNode {
  const isInvalid = verdictsOf(token).some(({ tone }) => tone === "bad");
  return isInvalid ? <Tag tone="bad">invalid</Tag> : <Tag tone="good">valid</Tag>;
}

function verdictsOf({ jwt, signature, state }: ExplainedToken): JwtVerdict[] {
  return [signature, jwt.validity, ...state ? [state] : []];
}

function memberTable(title: string, members: readonly ExplainedMember[]): VNode {
  return (
    <>
      <p class="muted">{title}</p>
      <Facts facts={members.map((member) => [<code>{member.name}</code>, valueOf(member)])} />
    </>
  );
}

function valueOf({ value, inWords, note }: ExplainedMember): VNode {
  return (
    <>
      <code class="value">{value}</code>
      {inWords && <span class="in-words">{inWords}</span>}
      {note && <SpecifiedNote {...note} />}
    </>
  );
}

/** What a parameter or claim means, and the section that says so. */
export function SpecifiedNote({ says, see }: { says: string; see: string }): VNode {
  return (
    <p class="help">
      {says} <span class="see">{see}</span>
    </p>
  );
}
