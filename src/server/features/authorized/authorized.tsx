/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type Content, Frame, type FrameProps } from "../../pages/frame.tsx";
import type { Callback } from "./callback.ts";
import { isComplete, type TokenRequestExample } from "./token_request.ts";

/**
 * The page at `/authorized`, which shows an authorization response to the developer of a client.
 */
export interface AuthorizedProps extends FrameProps, Callback {
  /** An absolute URL. */
  tokenEndpoint: string;
  /** The request for the code, for each kind of client; that of the client of the flow first. */
  tokenRequests: readonly TokenRequestExample[];
  /** Known only for a flow that this server started, in the browser that it was started for. */
  clientId?: string | undefined;
  /** The PKCE verifier of the request. */
  codeVerifier?: string | undefined;
  /** Where "Start New Authorization" leads, unless no client can start here. */
  startAgain?: string | undefined;
  /** Where the code can be exchanged without a shell, if the server can act as the client. */
  exchangeUrl?: string | undefined;
}

/** What a page that has the content in it can add. */
interface AuthorizedContentProps extends AuthorizedProps {
  /** What became of the code, shown below it. */
  codeState?: Content;
  /** Whether the code was redeemed: a second time would revoke what was issued. */
  isSpent?: boolean;
  /** What can be done with the code here. */
  children?: Content;
}

const titles = {
  public: "Public client",
  confidential: "Confidential client",
  key: "Client with a key",
};

/** The default page `authorized`. */
export function Authorized(props: AuthorizedProps): VNode {
  const script = props.hasError ? undefined : "copy.js";
  return (
    <Frame {...props} title={authorizedTitle(props)} width="wide" script={script}>
      <AuthorizedContent {...props} />
    </Frame>
  );
}

export function authorizedTitle({ hasError, isAbsent }: Callback): string {
  if (isAbsent) return "No Authorization Response";
  return hasError ? "Authorization Failed" : "Authorization Successful!";
}

/** The page without its frame. */
export function AuthorizedContent(props: AuthorizedContentProps): VNode {
  const { hasError, isAbsent, isSpent, tokenRequests, children } = props;
  const tone = hasError ? "failed" : "succeeded";
  return (
    <>
      <section class="card">
        <h1 class={isAbsent ? undefined : tone}>{authorizedTitle(props)}</h1>
        {isAbsent && (
          <p id="absence">
            Flows that start on the home page end here. No response received: the URL has neither a
            code nor an error.
          </p>
        )}
        {!isAbsent && <dl class="facts">{factsOf(props)}</dl>}
        {hasError && <Links {...props} />}
      </section>
      {children}
      {!hasError && !isSpent && tokenRequests.length > 0 && <NextSteps {...props} />}
      {!hasError && <Notes {...props} />}
    </>
  );
}

/** The values of the response. What did not come is left out. */
function factsOf(props: AuthorizedContentProps): Content {
  const { hasError, error, errorDescription, code, codeState, state, codeVerifier } = props;
  // What is copied has a button.
  const facts: Array<[name: string, id: string, value: string | undefined, copied?: string]> = [
    ["Error", "error", error],
    ["Description", "error-description", errorDescription],
    ["Authorization code", "code", code, "authorization code"],
    ["State", "state", hasError ? undefined : state],
    ["PKCE code verifier", "code-verifier", codeVerifier, "code verifier"],
  ];
  return facts.filter(([, , value]) => value).map(([name, id, value, copied]) => (
    <>
      <dt>{name}</dt>
      <dd>
        {id === "error-description"
          ? <span id={id}>{value}</span>
          : <code id={id} data-copy={copied}>{value}</code>}
        {id === "code" && codeState}
      </dd>
    </>
  ));
}

function Notes(props: AuthorizedContentProps): VNode {
  return (
    <section class="card">
      <h2>Good to know</h2>
      <ul class="notes">
        <li>
          The code can be used once. A second use revokes everything that was issued for the first.
        </li>
        <li>The code expires quickly, typically within 5 to 10 minutes.</li>
        <li>
          The <code>redirect_uri</code> must be identical to the one in the authorization request.
        </li>
        <li>
          The <code>code_verifier</code>{" "}
          is mandatory for public clients, and for confidential ones that sent a challenge.
        </li>
      </ul>
      <Links {...props} />
    </section>
  );
}

/** They are folded where a button exchanges the code. */
function NextSteps(props: AuthorizedContentProps): VNode {
  const { tokenEndpoint, exchangeUrl, clientId, tokenRequests } = props;
  const title = <h2>Next steps</h2>;
  const steps = (
    <>
      <ol class="steps">
        <li>Copy the authorization code above.</li>
        <li>
          Use the PKCE code verifier that belongs to the code challenge of the authorization
          request.
        </li>
        <li>
          POST both to the token endpoint, <code>{tokenEndpoint}</code>
        </li>
      </ol>
      {clientId && <StartedHere {...props} />}
      {tokenRequests.map((example, at) => (
        <Example {...example} isOwn={clientId ? at === 0 : undefined} />
      ))}
    </>
  );
  if (exchangeUrl === undefined) return <section class="card">{title}{steps}</section>;
  return (
    <details class="card group" id="next-steps">
      <summary>{title}</summary>
      {steps}
    </details>
  );
}

/** Names the client of the flow, and what to do with the example. */
function StartedHere(
  { clientId, exchangeUrl, tokenRequests: [own] }: AuthorizedContentProps,
): VNode {
  const isWhole = own && isComplete(own.command);
  return (
    <p class="fine">
      This flow was started here for <strong>{clientId}</strong>
      {isWhole
        ? ", so its example is complete: paste it into a shell"
        : ". In its example, replace what is in angle brackets"}
      {isWhole && exchangeUrl && (
        <>
          , or <a href={exchangeUrl}>exchange the code here</a>
        </>
      )}
      . {!exchangeUrl && "The verifier is shown once: copy it before you leave this page."}
      {isWhole && own.kind === "key" && "What it is signed with is valid for a minute."}
    </p>
  );
}

/** A token request. It is folded if the flow is that of another kind of client. */
function Example(
  { kind, command, isOwn }: TokenRequestExample & { isOwn: boolean | undefined },
): VNode {
  const copied = `token request of a ${titles[kind].toLowerCase()}`;
  const code = <code id={`${kind}-example`} data-copy={copied}>{command}</code>;
  return (
    <details open={isOwn ?? true}>
      <summary>{titles[kind]}</summary>
      <pre class={isOwn ? "fits" : ""}>{code}</pre>
    </details>
  );
}

function Links({ base, startAgain }: AuthorizedContentProps): VNode {
  return (
    <p class="links">
      <a id="home" href={`${base}/`}>Back to Home</a>
      {startAgain && (
        <a id="start-again" class="button" href={startAgain}>Start New Authorization</a>
      )}
    </p>
  );
}
