/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CredentialState } from "../../flows/credential_state.ts";
import type { IssuedCredential } from "../../flows/ledger.ts";
import type { LineageNode } from "../../flows/lineage.ts";
import { Tag, type Tone } from "../parts/tag.tsx";

interface LineageTreeProps {
  nodes: readonly LineageNode[];
  /** Returns the URL of an exchange in its flow. */
  hrefOf: (exchange: number) => string;
}

const tones: Readonly<Record<CredentialState["kind"], Tone>> = {
  active: "good",
  spent: "neutral",
  revoked: "bad",
  expired: "warn",
  unknown: "neutral",
};

/** What was issued from what, with the state of each. What can no longer be used is grey. */
export function LineageTree({ nodes, hrefOf }: LineageTreeProps): VNode {
  return (
    <ul class="lineage">
      {nodes.map((node) => (
        <li class={node.state.kind === "active" ? "active" : "over"}>
          <Credential node={node} hrefOf={hrefOf} />
          {node.children.length > 0 && <LineageTree nodes={node.children} hrefOf={hrefOf} />}
        </li>
      ))}
    </ul>
  );
}

interface CredentialProps {
  node: LineageNode;
  hrefOf: LineageTreeProps["hrefOf"];
}

function Credential({ node: { name, credential, state }, hrefOf }: CredentialProps): VNode {
  return (
    <div class="credential">
      <a href={hrefOf(credential.issuedBy)} data-swap>{name}</a>{" "}
      <Tag tone={tones[state.kind]}>{stateName(state, credential)}</Tag>{" "}
      <StateNote state={state} hrefOf={hrefOf} />
    </div>
  );
}

/** Only its time of expiry ends an ID token: no one revokes it. */
function stateName({ kind }: CredentialState, credential: IssuedCredential): string {
  return kind === "active" && credential.kind === "ID token" ? "valid" : kind;
}

interface StateNoteProps {
  state: CredentialState;
  hrefOf: LineageTreeProps["hrefOf"];
}

function StateNote({ state, hrefOf }: StateNoteProps): VNode | null {
  switch (state.kind) {
    case "active":
    case "expired":
      return <TimeNote state={state} />;
    case "spent":
      return state.exchange === undefined ? null : (
        <span class="muted">
          by <a href={hrefOf(state.exchange)} data-swap>request {state.exchange}</a>
        </span>
      );
    case "revoked":
      return <RevocationNote state={state} hrefOf={hrefOf} />;
    case "unknown":
      return <span class="muted">a fault changed it</span>;
  }
}

type TimedState = Extract<CredentialState, { kind: "active" | "expired" }>;

function TimeNote({ state }: { state: TimedState }): VNode | null {
  const instant = state.kind === "active" ? state.until : state.at;
  if (instant === undefined || Number.isNaN(new Date(instant).getTime())) return null;
  const time = new Date(instant).toISOString().slice(0, 19).replace("T", " ");
  return <span class="muted">{state.kind === "active" ? "until" : "at"} {time}</span>;
}

type RevokedState = Extract<CredentialState, { kind: "revoked" }>;

function RevocationNote(
  { state: { reason, exchange }, hrefOf }: { state: RevokedState; hrefOf: (id: number) => string },
): VNode {
  if (reason === undefined || exchange === undefined) {
    return <span class="muted">its user, client or session is gone</span>;
  }
  return (
    <span class="muted">
      {reason}: <a href={hrefOf(exchange)} data-swap>request {exchange}</a>
    </span>
  );
}
