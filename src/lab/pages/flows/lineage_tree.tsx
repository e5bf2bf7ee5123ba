/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CredentialState } from "../../flows/credential_state.ts";
import type { IssuedCredential } from "../../flows/ledger.ts";
import type { LineageNode } from "../../flows/lineage.ts";
import { Tag, type Tone } from "../parts/tag.tsx";

interface LineageTreeProps {
  nodes: readonly LineageNode[];
  links: ExchangeLinks;
}

/** How the tree leads to the requests that issued, redeemed or revoked something. */
export interface ExchangeLinks {
  hrefOf: (exchange: number) => string;
  /** Names an exchange as the diagram does: "step 9". */
  nameOf: (exchange: number) => string;
}

/** The color of each state of a credential. */
export const stateTones: Readonly<Record<CredentialState["kind"], Tone>> = {
  active: "good",
  spent: "neutral",
  revoked: "bad",
  expired: "warn",
  reissued: "neutral",
  replayed: "neutral",
  unknown: "neutral",
};

/** What was issued from what, with the state of each. What can no longer be used is grey. */
export function LineageTree({ nodes, links }: LineageTreeProps): VNode {
  return (
    <ul class="lineage">
      {nodes.map((node) => (
        <li class={node.state.kind === "active" ? "active" : "over"}>
          <Credential node={node} links={links} />
          {node.children.length > 0 && <LineageTree nodes={node.children} links={links} />}
        </li>
      ))}
    </ul>
  );
}

interface CredentialProps {
  node: LineageNode;
  links: ExchangeLinks;
}

function Credential({ node: { name, credential, state }, links }: CredentialProps): VNode {
  return (
    <div class="credential">
      <a href={links.hrefOf(credential.issuedBy)} data-swap>{name}</a>{" "}
      <Tag tone={stateTones[state.kind]}>{stateName(state, credential)}</Tag>{" "}
      <StateNote state={state} links={links} />
    </div>
  );
}

/** Only its time of expiry ends an ID token: no one revokes it. */
function stateName({ kind }: CredentialState, credential: IssuedCredential): string {
  return kind === "active" && credential.kind === "ID token" ? "valid" : kind;
}

interface StateNoteProps {
  state: CredentialState;
  links: ExchangeLinks;
}

function StateNote({ state, links }: StateNoteProps): VNode | null {
  switch (state.kind) {
    case "active":
    case "expired":
      return <TimeNote state={state} />;
    case "spent":
      return state.exchange === undefined ? null : (
        <span class="muted">
          in <ExchangeLink exchange={state.exchange} links={links} />
        </span>
      );
    case "revoked":
      return <RevocationNote state={state} links={links} />;
    case "reissued":
      return <span class="muted">a later login has its value</span>;
    case "replayed":
      return <span class="muted">not valid in the lab</span>;
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

function RevocationNote({ state, links }: { state: RevokedState; links: ExchangeLinks }): VNode {
  const { reason, exchange } = state;
  if (reason === undefined || exchange === undefined) {
    return <span class="muted">its user, client or session is gone</span>;
  }
  return (
    <span class="muted">
      in <ExchangeLink exchange={exchange} links={links} />: {reason}
    </span>
  );
}

function ExchangeLink({ exchange, links }: { exchange: number; links: ExchangeLinks }): VNode {
  return <a href={links.hrefOf(exchange)} data-swap>{links.nameOf(exchange)}</a>;
}
