/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FollowUpName } from "../../../client_role/follow_up.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeBlock } from "../../../pages/parts/copy_text.tsx";
import { DecodedToken } from "../../../pages/parts/decoded_token.tsx";
import { RequestCodes } from "../../../pages/parts/request_code.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import { indentJson } from "../../../util/indent_json.ts";
import type { FollowUpView, ShownResponse } from "./follow_up_views.ts";

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

/** The requests that follow the code. Each can be sent here, or copied as a command. */
export function followUpSections(call: LabPageCall, views: readonly FollowUpView[]): VNode | null {
  if (views.length === 0) return null;
  const isExchanged = views.some(({ name, latest }) => name === "exchange" && latest);
  const shown = views.filter(({ name }) => isExchanged || name === "exchange");
  return (
    <div class="follow-ups" id="follow-ups" data-live>
      {shown.map((view) => {
        const { name, latest } = view;
        return (
          <Section id={name} title={texts[name].title} actions={latest && outcomeOf(call, latest)}>
            {requestOf(call, view)}
            {latest && responseOf(name, latest)}
          </Section>
        );
      })}
    </div>
  );
}

/** What the request is for, the form that sends it, and the same as a command. */
function requestOf({ request, formToken }: LabPageCall, view: FollowUpView): VNode {
  const { name, sender, curl, codes, latest } = view;
  const { button, about, missing } = texts[name];
  if (curl === undefined) return <p class="help">{missing}</p>;
  const { pathname, search } = new URL(request.url);
  return (
    <>
      <p class="help">
        {about} {name === "introspect" && (
          <>
            It is sent as <bdi>{sender}</bdi>.
          </>
        )}
      </p>
      <form id={`send-${name}`} method="post" action={`${pathname}/send${search}`}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="step" value={name} />
        <button type="submit" class={name === "exchange" && !latest ? "" : "secondary"}>
          {latest && name === "exchange" ? "Send it a second time" : button}
        </button>
      </form>
      <details id={`curl-${name}`}>
        <summary>{codes ? "As code" : "As a command"}</summary>
        {codes
          ? <RequestCodes what={button} id={`code-${name}`} codes={codes} />
          : <CodeBlock what={`command for ${button}`} text={curl} />}
      </details>
    </>
  );
}

function outcomeOf({ base, isAlone }: LabPageCall, { isGood, status, path }: ShownResponse): VNode {
  return (
    <>
      <Tag tone={isGood ? "good" : "bad"}>{status ?? "no response"}</Tag>
      {!isAlone && <a href={`${base}/lab${path}`}>Show in the flow</a>}
    </>
  );
}

/** The tokens are long, so they are folded: what follows is in sight. */
function responseOf(name: FollowUpName, { body, tokens }: ShownResponse): VNode {
  if (body === "") return <p class="help">The response has no body: that is all.</p>;
  const text = <CodeBlock what={`response of ${name}`} text={indentJson(body)} />;
  return (
    <div class="response" id={`response-${name}`}>
      {tokens.length === 0 ? text : (
        <>
          {tokens.map(({ label, token }) => (
            <details class="token" id={`${name}-${label}`}>
              <summary>
                <code>{label}</code>, decoded
              </summary>
              <DecodedToken token={token} />
            </details>
          ))}
          <details id={`body-${name}`}>
            <summary>The whole response</summary>
            {text}
          </details>
        </>
      )}
    </div>
  );
}
