/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { checkFactsOf } from "../../../flows/check_facts.ts";
import { checksOf, type FlowCheck } from "../../../flows/flow_checks.ts";
import { RefusalBox } from "../../../pages/flows/refusal_box.tsx";
import { type FoundToken, tokensIn } from "../../../pages/flows/tokens_in.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeBlock } from "../../../pages/parts/copy_text.tsx";
import { DecodedToken } from "../../../pages/parts/decoded_token.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { type Exchange, jsonOf } from "../../../recording/exchange.ts";
import { refusalOf } from "../../../recording/refusal.ts";
import { indentJson } from "../../../util/json_values.ts";
import type { FollowUpName } from "../follow_up.ts";
import type { ReceivedCallback } from "./received_callback.ts";

interface SentFollowUp {
  name: FollowUpName;
  latest: Exchange;
  received: ReceivedCallback;
}

/** The result of a request in a sentence: what it brought, or why it was refused. */
export async function followUpResult(
  lab: CoreLab,
  { base, isAlone }: LabPageCall,
  { name, latest, received: { played } }: SentFollowUp,
): Promise<VNode> {
  const body = latest.response && jsonOf(latest.response);
  const checks = checksOf(checkFactsOf(lab.issuer, latest, played?.source.exchanges ?? []));
  const refusal = refusalOf(latest);
  if (refusal) {
    const received = checks.find(({ by, isPassed }) => by === "server" && !isPassed)?.received;
    return (
      <RefusalBox
        id={`refusal-${name}`}
        refusal={{ ...refusal, received: received ?? refusal.received }}
        {...!isAlone && { base }}
      />
    );
  }
  return (
    <>
      <p class="verdict-title">{sentenceOf(name, body ?? {})}</p>
      {name === "exchange" && await checkedValues(lab, latest, checks)}
    </>
  );
}

const tokenNames = { access_token: "access", id_token: "ID", refresh_token: "refresh" } as const;

function sentenceOf(name: FollowUpName, body: Record<string, unknown>): string | undefined {
  switch (name) {
    case "exchange":
    case "refresh": {
      const issued = Object.entries(tokenNames).filter(([member]) => member in body);
      return issued.length === 0
        ? undefined
        : `Tokens issued: ${issued.map(([, token]) => token).join(", ")}`;
    }
    case "userinfo":
      return typeof body.sub === "string"
        ? `${counted(Object.keys(body).length, "claim")} about ${body.sub}`
        : undefined;
    case "introspect":
      return `The access token is ${body.active === true ? "" : "not "}active`;
    case "revoke":
      return "Revoked";
  }
}

/** What the lab compared in the role of the client. It found the flow by the state. */
async function checkedValues(
  lab: CoreLab,
  exchange: Exchange,
  checks: readonly FlowCheck[],
): Promise<VNode> {
  const own = checks.filter(({ by }) => by === "client");
  const right = own.flatMap(({ name, isPassed }) => isPassed && name ? name : []);
  const idToken = (await tokensIn(lab, exchange)).find(({ label }) => label === "id_token");
  const signature = idToken?.token.signature;
  const isProved = exchange.rules.some(({ rule, passed }) =>
    passed && rule.id === "verifier.matches"
  );
  const checked = [
    "state",
    ...isProved ? ["PKCE"] : [],
    ...signature?.tone === "good" ? ["signature"] : [],
    ...right,
  ];
  const wrong = own.filter(({ isPassed }) => !isPassed).map(({ title, received }) =>
    `${title}. Received: ${received}`
  );
  if (signature?.tone === "bad") wrong.push(signature.text);
  return (
    <ul class="verdicts">
      <li>
        <Tag tone="good">Checked</Tag> {checked.join(", ")}
      </li>
      {wrong.map((text) => (
        <li>
          <Tag tone="bad">wrong</Tag> Not so: {text}
        </li>
      ))}
    </ul>
  );
}

/** The body of a response, which is open while it is the newest. */
export async function responseOf(
  lab: CoreLab,
  name: FollowUpName,
  exchange: Exchange,
  isNewest: boolean,
): Promise<VNode | null> {
  const { response } = exchange;
  if (!response?.body || response.status !== 200) return null;
  if (name === "refresh") return await issuedTokens(lab, name, exchange);
  return (
    <details class="response" id={`response-${name}`} open={isNewest}>
      <summary>Response</summary>
      <CodeBlock what={`response of ${name}`} text={indentJson(response.body)} />
    </details>
  );
}

/** The tokens of a response. The ID token of the code, which says who signed in, is open. */
export async function issuedTokens(
  lab: CoreLab,
  name: FollowUpName,
  exchange: Exchange,
): Promise<VNode> {
  const tokens = (await tokensIn(lab, exchange)).filter(({ part }) => part === "response");
  return (
    <div class="response" id={`response-${name}`}>
      {tokens.toSorted(byImportance).map(({ label, token }) => (
        <details
          class="token"
          id={`${name}-${label}`}
          open={name === "exchange" && label === "id_token"}
        >
          <summary>
            <code>{label}</code>, decoded
          </summary>
          {label !== "id_token" ? <DecodedToken token={token} /> : (
            <>
              <CodeBlock what="ID token" text={indentJson(JSON.stringify(token.jwt.claims))} />
              <details>
                <summary>What each claim means</summary>
                <DecodedToken token={token} />
              </details>
            </>
          )}
        </details>
      ))}
      <details id={`body-${name}`}>
        <summary>The whole response</summary>
        <CodeBlock
          what={`response of ${name}`}
          text={indentJson(exchange.response?.body ?? "")}
        />
      </details>
    </div>
  );
}

function byImportance(one: FoundToken, other: FoundToken): number {
  return Number(other.label === "id_token") - Number(one.label === "id_token");
}
