/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type Content, Frame, type FrameProps } from "./frame.tsx";
import { type DescribedUser, UserIdentity } from "./parties.tsx";

/** The props of the home page. */
export interface HomeProps extends FrameProps {
  /** The issuer identifier. */
  issuer: string;
  /** The endpoints of the metadata, by their names there. */
  endpoints: EndpointLink[];
  /** The page on which users manage their account, if the server has it. */
  accountPath?: string | undefined;
  /** The user who is signed in with this browser. */
  user?: DescribedUser | undefined;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** What is added below. */
  children?: Content;
}

/** An endpoint, by the name of its member in the metadata. */
export interface EndpointLink {
  /** The member of the metadata. */
  name: string;
  /** The URL of the endpoint. */
  url: string;
}

/** The default page `home`: the way to a user's account, and nothing about the protocol. */
export function Home(props: HomeProps): VNode {
  const { language, accountPath, user, children } = props;
  const { home, common } = language.words;
  const title = user || accountPath ? common.yourAccount : common.home;
  return (
    <Frame {...props} title={title} width="narrow">
      <section class="card">
        <h1>{title}</h1>
        {accountPath && <p class="lead">{user ? home.signedIn : home.lead}</p>}
        {user && <SignedIn {...props} user={user} />}
        {!user && accountPath && (
          <a id="account" class="button" href={accountPath}>{common.signIn}</a>
        )}
      </section>
      {children}
    </Frame>
  );
}

/** Shows who is signed in, with the ways to their account and out of it. */
export function SignedIn(
  { base, language, accountPath, user, formToken }: HomeProps & { user: DescribedUser },
): VNode {
  const words = language.words.common;
  return (
    <form id="sign-out" class="signed-in" method="post" action={`${base}/sign-out`}>
      <input type="hidden" name="form_token" value={formToken} />
      <p class="lead">{words.signedInAs}</p>
      <div class="account">
        <UserIdentity user={user} />
      </div>
      <p class="choices">
        {accountPath && <a id="account" class="button" href={accountPath}>{words.yourAccount}</a>}
        <button class="secondary" type="submit">{words.signOut}</button>
      </p>
    </form>
  );
}
