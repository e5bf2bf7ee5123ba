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

type FollowUpPage = Pick<LabPageCall, "base" | "formToken" | "isAlone">;

interface FollowUpsProps {
  page: FollowUpPage;
  /** Where the forms go. */
  action: string;
  views: readonly FollowUpView[];
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

/** The requests that follow the code. Each can be sent here, or copied as a command. */
export function FollowUps({ page, action, views }: FollowUpsProps): VNode | null {
  if (views.length === 0) return null;
  const isExchanged = views.some(({ name, latest }) => name === "exchange" && latest);
  const shown = views.filter(({ name }) => isExchanged || name === "exchange");
  const isAtEnd = !shown.some(({ name, latest }) => name !== "exchange" && latest);
  return (
    <div class="follow-ups" id="follow-ups" data-live>
      {shown.map((view) => (
        <FollowUp
          page={page}
          action={action}
          view={view}
          others={views.map(({ name }) => name).filter((name) => name !== view.name)}
          showsTokens={isAtEnd}
        />
      ))}
    </div>
  );
}

interface FollowUpProps {
  page: FollowUpPage;
  action: string;
  view: FollowUpView;
  /** The requests that can follow. */
  others: readonly FollowUpName[];
  /** Whether the decoded tokens are open: until the reader goes on. */
  showsTokens: boolean;
}

function FollowUp({ page, action, view, others, showsTokens }: FollowUpProps): VNode {
  const { name, sender, curl, codes, latest } = view;
  const { title, button, about, missing } = texts[name];
  return (
    <Section id={name} title={title} actions={<Outcome page={page} latest={latest} />}>
      <p class="help">
        {curl === undefined ? missing : about} {curl !== undefined && name === "introspect" && (
          <>
            It is sent as <bdi>{sender}</bdi>.
          </>
        )}
      </p>
      {curl !== undefined && (
        <form id={`send-${name}`} method="post" action={action}>
          <input type="hidden" name="form_token" value={page.formToken} />
          <input type="hidden" name="step" value={name} />
          <button type="submit" class={name === "exchange" && !latest ? "" : "secondary"}>
            {latest && name === "exchange" ? "Send it a second time" : button}
          </button>
        </form>
      )}
      {curl !== undefined && (
        <details id={`curl-${name}`}>
          <summary>{codes ? "As code" : "As a command"}</summary>
          {codes
            ? <RequestCodes what={button} id={`code-${name}`} codes={codes} />
            : <CodeBlock what={`command for ${button}`} text={curl} />}
        </details>
      )}
      {name === "exchange" && latest?.isGood && showsTokens && <WhatFollows others={others} />}
      {latest && <Response name={name} response={latest} showsTokens={showsTokens} />}
    </Section>
  );
}

/** The tokens are long: the requests that use them are far below. */
function WhatFollows({ others }: Pick<FollowUpProps, "others">): VNode {
  return (
    <p class="button-row" id="what-follows">
      Go on: {others.map((name) => <a href={`#${name}`}>{texts[name].title}</a>)}
    </p>
  );
}

function Outcome(
  { page, latest }: { page: FollowUpPage; latest: ShownResponse | undefined },
): VNode | null {
  if (!latest) return null;
  const { isGood, status, path } = latest;
  return (
    <>
      <Tag tone={isGood ? "good" : "bad"}>{status ?? "no response"}</Tag>
      {!page.isAlone && <a href={`${page.base}/lab${path}`}>Show in the flow</a>}
    </>
  );
}

interface ResponseProps {
  name: FollowUpName;
  response: ShownResponse;
  showsTokens: boolean;
}

function Response({ name, response, showsTokens }: ResponseProps): VNode {
  const { body, tokens } = response;
  if (body === "") return <p class="help">The response has no body: that is all.</p>;
  const text = <CodeBlock what={`response of ${name}`} text={indentJson(body)} />;
  return (
    <div class="response" id={`response-${name}`}>
      {tokens.length > 0
        ? (
          <>
            <Tokens name={name} tokens={tokens} isOpen={showsTokens && name === "exchange"} />
            <details id={`body-${name}`}>
              <summary>The whole response</summary>
              {text}
            </details>
          </>
        )
        : text}
    </div>
  );
}

interface TokensProps {
  name: FollowUpName;
  tokens: ShownResponse["tokens"];
  isOpen: boolean;
}

/** The tokens of the exchange are what the reader came for; later ones are folded. */
function Tokens({ name, tokens, isOpen }: TokensProps): VNode {
  return (
    <div class={name === "exchange" ? "split" : undefined}>
      {tokens.map(({ label, token }) => (
        <details class="token" id={`${name}-${label}`} open={isOpen}>
          <summary>
            <code>{label}</code>, decoded
          </summary>
          <DecodedToken token={token} />
        </details>
      ))}
    </div>
  );
}
