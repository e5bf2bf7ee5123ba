/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "./frame.tsx";
import type { Content } from "./page.ts";

/** The props of the home page. */
export interface HomeProps extends FrameProps {
  /** The issuer identifier. */
  issuer: string;
  /** The endpoints of the metadata, by their names there. */
  endpoints: EndpointLink[];
  /** The user who is signed in with this browser. */
  signedInAs?: string | undefined;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** What a lab adds. */
  children?: Content;
}

/** An endpoint, by the name of its member in the metadata. */
export interface EndpointLink {
  /** The member of the metadata. */
  name: string;
  /** The URL of the endpoint. */
  url: string;
}

/** The default page `home`. */
export function Home(props: HomeProps): VNode {
  const { base, issuer, endpoints, signedInAs, formToken, children } = props;
  return (
    <Frame {...props} title="Home" width="wide" script="copy.js">
      <section class="hero">
        <h1>Hallpass</h1>
        <p class="lead">
          An OAuth 2.1 and OpenID Connect authorization server: small enough to live in a test
          suite, strict enough to find a client's bugs, real enough to run.
        </p>
        {signedInAs && (
          <form id="sign-out" class="aside" method="post" action={`${base}/sign-out`}>
            <input type="hidden" name="form_token" value={formToken} />
            Signed in as <strong>{signedInAs}</strong>.{" "}
            <a id="account" href={`${base}/account`}>Connected applications</a>
            {" · "}
            <button class="link" type="submit">Sign out</button>
          </form>
        )}
      </section>
      {children}
      <section class="card">
        <h2>Endpoints</h2>
        <dl class="facts">
          <dt>issuer</dt>
          <dd>
            <code id="issuer" data-copy>{issuer}</code>
          </dd>
          {endpoints.map(({ name, url }) => (
            <>
              <dt>{name}</dt>
              <dd>
                <code data-copy>{url}</code>
              </dd>
            </>
          ))}
        </dl>
        <p class="fine">
          Everything else is in the{" "}
          <a href={`${base}/.well-known/openid-configuration`}>metadata</a>.
        </p>
      </section>
    </Frame>
  );
}
