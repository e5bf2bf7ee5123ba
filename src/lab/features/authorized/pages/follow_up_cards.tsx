/** @jsxImportSource preact */
import type { VNode } from "preact";
import { codeOf } from "../../../client_role/request_code.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { checkFactsOf } from "../../../flows/check_facts.ts";
import { type FlowCheck, flowChecksOf } from "../../../flows/flow_checks.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { RefusalBox } from "../../../pages/flows/refusal_box.tsx";
import { type FoundToken, tokensIn } from "../../../pages/flows/tokens_in.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeBlock, RequestCodes } from "../../../pages/parts/copy_text.tsx";
import { DecodedToken, Verdicts } from "../../../pages/parts/decoded_token.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { type Exchange, jsonOf } from "../../../recording/exchange.ts";
import { refusalOf } from "../../../recording/refusal.ts";
import { indentJson } from "../../../util/json_values.ts";
import type { FollowUp } from "../follow_up.ts";
import type { ReceivedCallback } from "../received_callback.ts";

/** A card for each request that follows the code, with its result. Each can be sent, or copied. */
export async function followUpCards(
  lab: CoreLab,
  { base, isAlone, formToken, request: { url } }: LabPageCall,
  { callback: { code }, played }: ReceivedCallback,
  followUps: readonly FollowUp[],
): Promise<VNode | null> {
  const exchange = followUps.find(({ name }) => name === "exchange");
  if (!exchange) return null;
  const exchanges = played?.exchanges ?? [];
  const newest = Math.max(...followUps.map(({ latest }) => latest?.id ?? 0));
  // The token response of a code stays when the code is sent again.
  const issuing = exchanges.findLast(({ request: { form }, response }) =>
    form.get("code") === code && response?.status === 200
  );
  const headOf = ({ id, response }: Exchange) => {
    const isGood = response?.status === 200;
    const isOver = isGood && id < (played?.revokedIn ?? 0);
    return (
      <>
        <Tag tone={isOver ? "neutral" : isGood ? "good" : "bad"}>
          {response?.status ?? "no response"}
          {isOver && ", before the revocation"}
        </Tag>
        {!isAlone && <a href={`${base}/lab${flowPath(lab, id)}`}>Show in the flow</a>}
      </>
    );
  };
  const card = async (followUp: FollowUp) => {
    const { name, title, latest } = followUp;
    const isExchange = followUp === exchange;
    return (
      <Section id={name} title={title} actions={latest && headOf(latest)}>
        {latest && await resultOf(lab, followUp, latest, exchanges, isAlone ? {} : { base })}
        {latest && !isExchange && await responseOf(lab, name, latest, latest.id === newest)}
        {!(isExchange && issuing) && formOf(followUp, url, formToken)}
      </Section>
    );
  };
  return (
    <div class="follow-ups" id="follow-ups" data-live>
      {await Promise.all((exchange.latest ? followUps : [exchange]).map(card))}
      {issuing && (
        <Section
          id="issued"
          title="What was issued"
          actions={issuing !== exchange.latest && headOf(issuing)}
        >
          {await responseOf(lab, "exchange", issuing, false)}
          {formOf(exchange, url, formToken)}
        </Section>
      )}
    </div>
  );
}

/** What a request is for, the form that sends it, and the same as code. */
function formOf(
  { name, request, latest, sender, button, about, missing }: FollowUp,
  here: string,
  formToken: string,
): VNode {
  if (!request) return <p class="help">{missing}</p>;
  const { pathname, search } = new URL(here);
  const isExchange = name === "exchange";
  return (
    <>
      {!latest && (
        <p class="help">
          {about} {name === "introspect" && (
            <>
              It is sent as <bdi>{sender?.id}</bdi>.
            </>
          )}
        </p>
      )}
      <form id={`send-${name}`} method="post" action={`${pathname}/send${search}`}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="step" value={name} />
        <button type="submit" class={isExchange && !latest ? "" : "secondary"}>
          {isExchange && latest ? "Send it a second time" : button}
        </button>
        {isExchange && latest?.response?.status === 200 && (
          <p class="caution" id="second-use">
            The code is spent: a second use is refused, and revokes the tokens above.
          </p>
        )}
      </form>
      <details id={`curl-${name}`}>
        <summary>As code</summary>
        <RequestCodes what={button} id={`code-${name}`} codes={codeOf(request)} />
      </details>
    </>
  );
}

/** The result of a request in a sentence: what it brought, or why it was refused. */
async function resultOf(
  lab: CoreLab,
  { name, resultOf: sentenceOf }: FollowUp,
  latest: Exchange,
  flow: readonly Exchange[],
  links: { base?: string },
): Promise<VNode> {
  const checks = flowChecksOf(checkFactsOf(lab.issuer, latest, flow));
  const refusal = refusalOf(latest);
  if (refusal) {
    const failed = checks.find(({ by, isPassed }) => by === "server" && !isPassed);
    const shown = { ...refusal, received: failed?.received ?? refusal.received };
    return <RefusalBox id={`refusal-${name}`} refusal={shown} {...links} />;
  }
  const body = latest.response && jsonOf(latest.response);
  return (
    <>
      <p class="verdict-title">{sentenceOf(body ?? {})}</p>
      {name === "exchange" && checkedValues(latest, checks, await tokensIn(lab, latest))}
    </>
  );
}

/** What the lab compared in the role of the client. It found the flow by the state. */
function checkedValues(
  { rules }: Exchange,
  checks: readonly FlowCheck[],
  tokens: readonly FoundToken[],
): VNode {
  const own = checks.filter(({ by }) => by === "client");
  const { tone, text } = tokens.find(isIdToken)?.token.signature ?? {};
  const isProved = rules.some(({ rule, passed }) => passed && rule.id === "verifier.matches");
  const checked = [
    "state",
    isProved && "PKCE",
    tone === "good" && "signature",
    ...own.map(({ name, isPassed }) => isPassed && name),
  ];
  const wrong = own.map(({ title, received, isPassed }) =>
    !isPassed && `${title}. Received: ${received}`
  );
  const refuted = [...wrong, tone === "bad" && text].filter(Boolean);
  return (
    <Verdicts
      verdicts={[
        { tone: "good", word: "Checked", text: checked.filter(Boolean).join(", ") },
        ...refuted.map((
          each,
        ) => ({ tone: "bad", word: "wrong", text: `Not so: ${each}` } as const)),
      ]}
    />
  );
}

/** The tokens of a response, and its body. The ID token of the code is open: it says who signed in. */
async function responseOf(
  lab: CoreLab,
  name: FollowUp["name"],
  exchange: Exchange,
  isOpen: boolean,
): Promise<VNode | null> {
  const { response } = exchange;
  if (!response?.body || response.status !== 200) return null;
  const tokens = (await tokensIn(lab, exchange)).filter(({ part }) => part === "response")
    .toSorted((one, other) => Number(isIdToken(other)) - Number(isIdToken(one)));
  return (
    <div class="response" id={`response-${name}`}>
      {tokens.map((found) => (
        <details
          class="token"
          id={`${name}-${found.label}`}
          open={name === "exchange" && isIdToken(found)}
        >
          <summary>
            <code>{found.label}</code>, decoded
          </summary>
          <CodeBlock what={found.label} text={indentJson(JSON.stringify(found.token.jwt.claims))} />
          <details>
            <summary>What each claim means</summary>
            <DecodedToken token={found.token} />
          </details>
        </details>
      ))}
      <details id={`body-${name}`} open={isOpen && tokens.length === 0}>
        <summary>{tokens.length > 0 ? "The whole response" : "Response"}</summary>
        <CodeBlock what={`response of ${name}`} text={indentJson(response.body)} />
      </details>
    </div>
  );
}

function isIdToken({ label }: FoundToken): boolean {
  return label === "id_token";
}
