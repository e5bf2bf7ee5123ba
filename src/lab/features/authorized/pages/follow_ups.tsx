/** @jsxImportSource preact */
import type { VNode } from "preact";
import { codeOf } from "../../../client_role/request_code.ts";
import type { RoleRequest } from "../../../client_role/role_request.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { toCurl } from "../../../flows/curl.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeBlock, RequestCodes } from "../../../pages/parts/copy_text.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import type { PlayedFlow } from "../callback_flow.ts";
import {
  findFollowUpUrl,
  type FollowUpFacts,
  type FollowUpName,
  followUpRequest,
  followUps,
} from "../follow_up.ts";
import { followUpResult, issuedTokens, responseOf } from "./follow_up_result.tsx";
import { followUpFacts, type ReceivedCallback } from "./received_callback.ts";

interface FollowUp {
  name: FollowUpName;
  /** Undefined while the token for it is missing. */
  request: RoleRequest | undefined;
  /** The latest such request of the flow, sent by hand or by a program. */
  latest: Exchange | undefined;
}

interface FollowUpText {
  title: string;
  button: string;
  about: string;
  /** Why it cannot be sent yet. */
  missing: string;
}

const texts: Readonly<Record<FollowUpName, FollowUpText>> = {
  exchange: {
    title: "Exchange it here",
    button: "Exchange the code",
    about: "Sends the token request from this lab, with the code and its verifier.",
    missing: "",
  },
  userinfo: {
    title: "Userinfo",
    button: "Call userinfo",
    about: "Presents the access token, as an API call does. The scope decides what comes back.",
    missing: "It needs an access token: exchange the code first.",
  },
  refresh: {
    title: "Refresh",
    button: "Refresh",
    about: "Redeems the newest refresh token. It works once; its successor is in the response.",
    missing: "It needs a refresh token, which the code may bring.",
  },
  introspect: {
    title: "Introspection",
    button: "Introspect",
    about: "Asks whether the access token is active, as an API does.",
    missing: "It needs an access token, and a client with a secret that may ask.",
  },
  revoke: {
    title: "Revocation",
    button: "Revoke",
    about: "Revokes the refresh token, and with it everything that was issued in this flow.",
    missing: "It needs a token: exchange the code first.",
  },
};

/**
 * The requests that follow the code, if the lab may send them. Each can be sent here, or copied as a
 * command.
 */
export async function followUpSections(
  lab: CoreLab,
  call: LabPageCall,
  received: ReceivedCallback,
): Promise<VNode | null> {
  const facts = followUpFacts(lab, received);
  if (!facts) return null;
  const possible = followUps.filter((name) => findFollowUpUrl(lab, name) !== undefined);
  if (possible.length === 0) return null;
  const all = await Promise.all(possible.map(async (name): Promise<FollowUp> => ({
    name,
    request: await followUpRequest(lab, name, facts),
    latest: latestExchange(received.played, name, facts.code),
  })));
  const [newest] = all.flatMap(({ latest }) => latest ?? []).toSorted((one, other) =>
    other.id - one.id
  );
  const [exchange, ...rest] = all;
  const issuing = issuingExchange(received.played, facts.code);
  const showCard = async (followUp: FollowUp) => {
    const { name, latest } = followUp;
    const isFormElsewhere = name === "exchange" && issuing !== undefined;
    const head = latest && outcomeOf(lab, call, latest, received.played);
    return (
      <Section id={name} title={texts[name].title} actions={head}>
        {latest && await followUpResult(lab, call, { name, latest, received })}
        {latest && name !== "exchange" && await responseOf(lab, name, latest, latest === newest)}
        {!isFormElsewhere && requestOf(call, followUp, facts)}
      </Section>
    );
  };
  if (!exchange) return null;
  return (
    <div class="follow-ups" id="follow-ups" data-live>
      {await showCard(exchange)}
      {exchange.latest && await Promise.all(rest.map(showCard))}
      {issuing && (
        <Section
          id="issued"
          title="What was issued"
          actions={issuing !== exchange.latest && outcomeOf(lab, call, issuing, received.played)}
        >
          {await issuedTokens(lab, "exchange", issuing)}
          {requestOf(call, exchange, facts)}
        </Section>
      )}
    </div>
  );
}

/** The token response of a code stays when the code is sent again. */
function issuingExchange(played: PlayedFlow | undefined, code: string): Exchange | undefined {
  return played?.source.exchanges.findLast(({ request: { form }, response }) =>
    form.get("code") === code && response?.status === 200
  );
}

function latestExchange(
  played: PlayedFlow | undefined,
  name: FollowUpName,
  code: string,
): Exchange | undefined {
  return played?.source.exchanges.findLast(({ request: { endpoint, form } }) => {
    if (name === "exchange") return endpoint === "token" && form.get("code") === code;
    if (name === "refresh") return endpoint === "token" && form.has("refresh_token");
    return endpoint === name;
  });
}

/** What the request is for, the form that sends it, and the same as a command. */
function requestOf(
  { request: { url }, formToken }: LabPageCall,
  { name, request, latest }: FollowUp,
  { client, introspector = client }: FollowUpFacts,
): VNode {
  const { button, about, missing } = texts[name];
  if (!request) return <p class="help">{missing}</p>;
  const { pathname, search } = new URL(url);
  const isRepeated = name === "exchange" && latest !== undefined;
  return (
    <>
      {!latest && (
        <p class="help">
          {about} {name === "introspect" && (
            <>
              It is sent as <bdi>{introspector.id}</bdi>.
            </>
          )}
        </p>
      )}
      <form id={`send-${name}`} method="post" action={`${pathname}/send${search}`}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="step" value={name} />
        <button type="submit" class={name === "exchange" && !latest ? "" : "secondary"}>
          {isRepeated ? "Send it a second time" : button}
        </button>
        {isRepeated && latest.response?.status === 200 && (
          <p class="caution" id="second-use">
            The code is spent: a second use is refused, and revokes the tokens above.
          </p>
        )}
      </form>
      <details id={`curl-${name}`}>
        <summary>{name === "exchange" ? "As code" : "As a command"}</summary>
        {name === "exchange"
          ? <RequestCodes what={button} id={`code-${name}`} codes={codeOf(request)} />
          : (
            <CodeBlock
              what={`command for ${button}`}
              text={toCurl({ ...request, body: request.form.toString() })}
            />
          )}
      </details>
    </>
  );
}

function outcomeOf(
  lab: CoreLab,
  { base, isAlone }: LabPageCall,
  { id, response }: Exchange,
  { revokedIn }: Partial<PlayedFlow> = {},
): VNode {
  const isGood = response?.status === 200;
  const isOver = isGood && revokedIn !== undefined && id < revokedIn;
  return (
    <>
      <Tag tone={isOver ? "neutral" : isGood ? "good" : "bad"}>
        {response?.status ?? "no response"}
        {isOver && ", before the revocation"}
      </Tag>
      {!isAlone && <a href={`${base}/lab${flowPath(lab, id)}`}>Show in the flow</a>}
    </>
  );
}
