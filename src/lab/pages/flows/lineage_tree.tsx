/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { CredentialState } from "../../flows/credential_state.ts";
import type { LineageNode } from "../../flows/lineage.ts";
import { Tag, type Tone } from "../parts/tag.tsx";

/** How the tree leads to the requests that issued, redeemed or revoked something. */
export interface ExchangeLinks {
  hrefOf: (exchange: number) => string;
  /** Names an exchange as the diagram does: "step 9". */
  nameOf: (exchange: number) => string;
}

export const stateTones: Readonly<Record<CredentialState["kind"], Tone>> = {
  active: "good",
  spent: "neutral",
  revoked: "bad",
  expired: "warn",
  reissued: "neutral",
  unknown: "neutral",
};

/** What was issued from what, with the state of each. What can no longer be used is grey. */
export function lineageTree(nodes: readonly LineageNode[], links: ExchangeLinks): VNode {
  return (
    <ul class="lineage">
      {nodes.map(({ name, credential, state, children }) => {
        const note = noteOn(state, links);
        // Only its time of expiry ends an ID token: no one revokes it.
        const isValid = state.kind === "active" && credential.kind === "ID token";
        return (
          <li class={state.kind === "active" ? "active" : "over"}>
            <div class="credential">
              <a href={links.hrefOf(credential.issuedBy)} data-swap>{name}</a>{" "}
              <Tag tone={stateTones[state.kind]}>{isValid ? "valid" : state.kind}</Tag>{" "}
              {note && <span class="muted">{note}</span>}
            </div>
            {children.length > 0 && lineageTree(children, links)}
          </li>
        );
      })}
    </ul>
  );
}

function noteOn(state: CredentialState, { hrefOf, nameOf }: ExchangeLinks): ComponentChildren {
  const link = (exchange: number) => <a href={hrefOf(exchange)} data-swap>{nameOf(exchange)}</a>;
  switch (state.kind) {
    case "active":
      return timeNote("until", state.until);
    case "expired":
      return timeNote("at", state.at);
    case "spent":
      return state.exchange !== undefined && <>in {link(state.exchange)}</>;
    case "revoked":
      return state.reason === undefined || state.exchange === undefined
        ? "its user, client or session is gone"
        : <>in {link(state.exchange)}: {state.reason}</>;
    case "reissued":
      return "a later login has its value";
    case "unknown":
      return "a fault changed it";
  }
}

function timeNote(word: "until" | "at", instant: number | undefined): string | undefined {
  if (instant === undefined || Number.isNaN(new Date(instant).getTime())) return undefined;
  return `${word} ${new Date(instant).toISOString().slice(0, 19).replace("T", " ")}`;
}
