/** @jsxImportSource preact */
import { Frame, type FrameProps } from "./frame.tsx";
import { confidentialTokenRequest, keyTokenRequest, publicTokenRequest } from "./token_request.ts";

/**
 * The page at `/authorized`, which shows an authorization response to the developer of a client.
 */
export interface AuthorizedProps extends FrameProps {
  /** Whether the authorization failed. */
  hasError: boolean;
  /** The error code, or an empty string. */
  error: string;
  /** The description of the error. */
  errorDescription?: string;
  /** The authorization code, or an empty string. */
  code: string;
  /** The `state` of the response. */
  state?: string;
  /** An absolute URL. */
  tokenEndpoint: string;
  /** Where "Start New Authorization" leads. */
  startAgain: string;
  /** Known only for a flow that this server started itself, to the browser that it started it for. */
  clientId?: string;
  /** The secret of the client, if it has one. */
  clientSecret?: string;
  /** The redirect URI of the request. */
  redirectUri?: string;
  /** The PKCE verifier of the request. */
  codeVerifier?: string;
  /** A client assertion and a DPoP proof for a client that has a key. */
  proofs?: { clientAssertion: string; dpopProof: string };
}

/** What came back to the client, and how to go on. */
export function Authorized(props: AuthorizedProps) {
  return props.hasError ? <Failure {...props} /> : <Success {...props} />;
}

function Failure(props: AuthorizedProps) {
  const { base, error, errorDescription, startAgain } = props;
  return (
    <Frame {...props} title="Authorization Failed" width="wide">
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
    </Frame>
  );
}

function Success(props: AuthorizedProps) {
  const { base, code, state, codeVerifier, startAgain } = props;
  return (
    <Frame {...props} title="Authorization Successful!" width="wide" script="copy.js">
      <section class="card">
        <h1 class="succeeded">Authorization Successful!</h1>
        <dl class="facts">
          <dt>Authorization code</dt>
          <dd>
            <code id="code" data-copy>{code}</code>
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
                <code id="code-verifier" data-copy>{codeVerifier}</code>
              </dd>
            </>
          )}
        </dl>
      </section>
      <NextSteps {...props} />
      <section class="card">
        <h2>Mind</h2>
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
            is mandatory for public clients; here it is for confidential ones as well, once they
            sent a challenge.
          </li>
        </ul>
        <Links base={base} startAgain={startAgain} />
      </section>
    </Frame>
  );
}

function NextSteps(props: AuthorizedProps) {
  const { tokenEndpoint, clientId } = props;
  return (
    <section class="card">
      <h2>Next steps</h2>
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
      {clientId && (
        <p class="fine">
          This flow was started here for{" "}
          <strong>{clientId}</strong>, so the example that fits it is complete: paste it into a
          shell.
        </p>
      )}
      <Examples {...props} />
    </section>
  );
}

function Examples(props: AuthorizedProps) {
  const { clientId, clientSecret, proofs } = props;
  if (proofs) {
    return (
      <>
        <h3>Client with a key</h3>
        <pre class="fits"><code id="key-example" data-copy>{keyTokenRequest(props)}</code></pre>
        <p class="fine">The assertion and the proof are good for a minute.</p>
      </>
    );
  }
  const forPublic = (
    <>
      <h3>Public client</h3>
      <pre
        class={clientId && !clientSecret ? "fits" : ""}
      ><code id="public-example" data-copy>{publicTokenRequest(props)}</code></pre>
    </>
  );
  const forConfidential = (
    <>
      <h3>Confidential client</h3>
      <pre
        class={clientSecret ? "fits" : ""}
      ><code id="confidential-example" data-copy>{confidentialTokenRequest(props)}</code></pre>
    </>
  );
  // The one that fits the flow comes first.
  return clientSecret ? <>{forConfidential}{forPublic}</> : <>{forPublic}{forConfidential}</>;
}

function Links({ base, startAgain }: { base: string; startAgain: string }) {
  return (
    <p class="links">
      <a id="home" href={`${base}/`}>Back to Home</a>
      <a id="start-again" class="button" href={startAgain}>Start New Authorization</a>
    </p>
  );
}
