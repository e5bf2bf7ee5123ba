/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { ClaimSource, EvaluatedClaim } from "../../control/evaluation.ts";
import { groupBy } from "../../report/report_rule.ts";
import { showValue } from "../../util/show_value.ts";
import { Tag } from "../parts/tag.tsx";

interface ClaimGroupsProps {
  /** Begins the id of what is folded. */
  id: string;
  origins: readonly EvaluatedClaim[];
}

/** Claims about the user by what they share: where they come from. Those of the protocol follow. */
export function ClaimGroups({ id, origins }: ClaimGroupsProps): VNode {
  const ofProtocol = origins.filter(isOfProtocol);
  const others = origins.filter((claim) => !isOfProtocol(claim));
  return (
    <>
      {groupBy(others, ({ sources }) => JSON.stringify(sources)).map((claims) => (
        <ClaimGroup claims={claims} />
      ))}
      {ofProtocol.length > 0 && <ProtocolClaims id={id} claims={ofProtocol} />}
    </>
  );
}

function isOfProtocol({ sources }: EvaluatedClaim): boolean {
  return sources.every(({ kind }) => kind === "protocol");
}

function ClaimGroup({ claims }: { claims: readonly [EvaluatedClaim, ...EvaluatedClaim[]] }): VNode {
  const [{ sources }] = claims;
  return (
    <table class="claims">
      <caption>{sources.map((source) => <SourceLine source={source} />)}</caption>
      <tbody>{claims.map((claim) => <ClaimRow claim={claim} />)}</tbody>
    </table>
  );
}

/** Every token has them, and each has its own meaning. */
function ProtocolClaims({ id, claims }: { id: string; claims: readonly EvaluatedClaim[] }): VNode {
  return (
    <details id={`${id}-protocol`}>
      <summary>
        {counted(claims.length, "claim")} of the protocol:{" "}
        <code>{claims.map(({ name }) => name).join(" ")}</code>
      </summary>
      <table class="claims">
        <tbody>{claims.map((claim) => <ClaimRow claim={claim} showsSources />)}</tbody>
      </table>
    </details>
  );
}

interface ClaimRowProps {
  claim: EvaluatedClaim;
  showsSources?: boolean;
}

function ClaimRow({ claim: { name, value, sources }, showsSources }: ClaimRowProps): VNode {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        <code class="value">{showValue(value)}</code>
        {showsSources && sources.map((source) => <SourceLine source={source} />)}
      </td>
    </tr>
  );
}

function SourceLine({ source: { kind, rule, see } }: { source: ClaimSource }): VNode {
  return (
    <p class="help">
      <Tag tone={kind === "hook" ? "warn" : "neutral"}>{kind}</Tag> {rule}{" "}
      {see && <span class="see">{see}</span>}
    </p>
  );
}
