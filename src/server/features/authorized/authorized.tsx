/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type Content, Frame, type FrameProps } from "../../pages/frame.tsx";
import {
  confidentialTokenRequest,
  keyTokenRequest,
  publicTokenRequest,
  type TokenRequestProps,
} from "./token_request.ts";

/**
 * The page at `/authorized`, which shows an authorization response to the developer of a client.
 */
export interface AuthorizedProps extends FrameProps, TokenRequestProps {
  /** Whether the authorization failed. */
  hasError: boolean;
  /** The error code, or an empty string. */
  error: string;
  /** The description of the error. */
  errorDescription?: string | undefined;
  /** Whether no response came at all: a browser opened the page by itself. It has an error, too. */
  isAbsent?: boolean | undefined;
  /** The `state` of the response. */
  state?: string | undefined;
  /** Where "Start New Authorization" leads, unless no client can start here. */
  startAgain?: string | undefined;
  /** Where the code can be exchanged without a shell, if the server can act as the client. */
  exchangeUrl?: string | undefined;
}

const shownOnce = "The verifier is shown once: copy it before you leave this page.";

const placeholder = /<[A-Z_]+>/;

/** The example for each way to authenticate. */
const requestsFor = {
  none: publicTokenRequest,
  secret: confidentialTokenRequest,
  key: keyTokenRequest,
};

/** The examples for clients without a key. */
const examples = {
  public: { title: "Public client", request: publicTokenRequest },
  confidential: { title: "Confidential client", request: confidentialTokenRequest },
};

/** What the page shows inside its frame. */
export type AuthorizedContentProps =
  & Omit<AuthorizedProps, keyof FrameProps>
  & Pick<FrameProps, "base">
  & {
    /** What became of the code, shown below it. */
    codeState?: Content;
    /** Whether the code was redeemed: a second time would revoke what was issued. */
    isSpent?: boolean;
    /** What can be done with the code here. */
    children?: Content;
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

export function authorizedTitle(
  { hasError, isAbsent }: AuthorizedProps,
): string {
  if (isAbsent) return "No Authorization Response";
  return hasError ? "Authorization Failed" : "Authorization Successful!";
}

/** The page without its frame. */
export function AuthorizedContent(props: AuthorizedContentProps): VNode {
  if (props.isAbsent) return <Absence {...props} />;
  return props.hasError ? <Failure {...props} /> : <Success {...props} />;
}

/** Nothing failed: a browser opened the page without a flow. */
function Absence({ base, startAgain }: AuthorizedContentProps): VNode {
  return (
    <section class="card">
      <h1>No Authorization Response</h1>
      <p id="absence">
        Flows that start on the home page end here. No response received: the URL has neither a code
        nor an error.
      </p>
      <Links base={base} startAgain={startAgain} />
    </section>
  );
}

function Failure(props: AuthorizedContentProps): VNode {
  const { base, error, errorDescription, startAgain } = props;
  return (
    <section class="card">
      <h1 class="failed">Authorization Failed</h1>
      <dl class="facts">
        <dt>Error</dt>
        <dd>
          <code id="error">{error}</code>
        </dd>
        {errorDescription && (
          <>
            <dt>Description</dt>
            <dd id="error-description">{errorDescription}</dd>
          </>
        )}
      </dl>
      <Links base={base} startAgain={startAgain} />
    </section>
  );
}

function Success(props: AuthorizedContentProps): VNode {
  const { base, code, state, codeVerifier, codeState, isSpent, startAgain, children } = props;
  return (
    <>
      <section class="card">
        <h1 class="succeeded">Authorization Successful!</h1>
        <dl class="facts">
          <dt>Authorization code</dt>
          <dd>
            <code id="code" data-copy="authorization code">{code}</code>
            {codeState}
          </dd>
          {state !== undefined && (
            <>
              <dt>State</dt>
              <dd>
                <code id="state">{state}</code>
              </dd>
            </>
          )}
          {codeVerifier && (
            <>
              <dt>PKCE code verifier</dt>
              <dd>
                <code id="code-verifier" data-copy="code verifier">{codeVerifier}</code>
              </dd>
            </>
          )}
        </dl>
      </section>
      {children}
      {!isSpent && <NextSteps {...props} />}
      <section class="card">
        <h2>Good to know</h2>
        <ul class="notes">
          <li>
            The code can be used once. A second use revokes everything that was issued for the
            first.
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
        <Links base={base} startAgain={startAgain} />
      </section>
    </>
  );
}

/** They are folded where a button exchanges the code. */
function NextSteps(props: AuthorizedContentProps): VNode {
  if (props.exchangeUrl === undefined) {
    return (
      <section class="card">
        <h2>Next steps</h2>
        <StepsByHand {...props} />
      </section>
    );
  }
  return (
    <details class="card group" id="next-steps">
      <summary>
        <h2>Next steps</h2>
      </summary>
      <StepsByHand {...props} />
    </details>
  );
}

function StepsByHand(props: AuthorizedContentProps): VNode {
  const { tokenEndpoint, clientId } = props;
  return (
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
      <Examples {...props} />
    </>
  );
}

/** Names the client of the flow, and what to do with the example. */
function StartedHere(props: AuthorizedContentProps): VNode {
  const { clientId, exchangeUrl, authentication = "none" } = props;
  const client = <strong>{clientId}</strong>;
  if (placeholder.test(requestsFor[authentication](props))) {
    return (
      <p class="fine">
        This flow was started here for {client}. In its example, replace what is in angle brackets.
        {" "}
        {!exchangeUrl && shownOnce}
      </p>
    );
  }
  return (
    <p class="fine">
      This flow was started here for{" "}
      {client}, so its example is complete: paste it into a shell{exchangeUrl
        ? (
          <>
            , or <a href={exchangeUrl}>exchange the code here</a>.
          </>
        )
        : <>. {shownOnce}</>}
    </p>
  );
}

function Examples(props: AuthorizedContentProps): VNode {
  const { authentication, proofs } = props;
  if (authentication === "key") {
    return (
      <>
        <h3>Client with a key</h3>
        <pre class="fits"><code id="key-example" data-copy="token request">{keyTokenRequest(props)}</code></pre>
        {proofs && <p class="fine">The assertion and the proof are valid for a minute.</p>}
      </>
    );
  }
  const forPublic = <Example {...props} kind="public" fits={authentication === "none"} />;
  const forSecret = <Example {...props} kind="confidential" fits={authentication === "secret"} />;
  // The example that fits the flow comes first.
  return authentication === "secret" ? <>{forSecret}{forPublic}</> : <>{forPublic}{forSecret}</>;
}

/** A token request. It is folded if the flow is that of another kind of client. */
function Example({ kind, fits, ...props }: AuthorizedContentProps & {
  kind: keyof typeof examples;
  /** Whether the client of the flow sends this request. */
  fits: boolean;
}): VNode {
  const { title, request } = examples[kind];
  const code = (
    <pre
      class={fits ? "fits" : ""}
    ><code id={`${kind}-example`} data-copy={`token request of a ${kind} client`}>{request(props)}</code></pre>
  );
  if (fits || props.authentication === undefined) {
    return (
      <>
        <h3>{title}</h3>
        {code}
      </>
    );
  }
  return (
    <details>
      <summary>{title}</summary>
      {code}
    </details>
  );
}

function Links({ base, startAgain }: Pick<AuthorizedContentProps, "base" | "startAgain">): VNode {
  return (
    <p class="links">
      <a id="home" href={`${base}/`}>Back to Home</a>
      {startAgain && (
        <a id="start-again" class="button" href={startAgain}>Start New Authorization</a>
      )}
    </p>
  );
}
