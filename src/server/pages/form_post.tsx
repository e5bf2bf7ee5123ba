/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page that posts an authorization response (Form Post Response Mode). */
export interface FormPostProps extends FrameProps {
  /** Where the form is sent. */
  redirectUri: string;
  /** The members of the authorization response. */
  members: Record<string, string | undefined>;
}

/** The default page `formPost`. A script sends the form at once; without scripts, a button does. */
export function FormPost(props: FormPostProps): VNode {
  const { language, redirectUri, members } = props;
  const { formPost, common } = language.words;
  return (
    <Frame {...props} title={formPost.title} width="narrow" script="form_post.js">
      <section class="card">
        <h1>{formPost.title}</h1>
        <form id="form-post" method="post" action={redirectUri}>
          <HiddenFields members={members} />
          <button type="submit">{common.continue}</button>
        </form>
      </section>
    </Frame>
  );
}

export function HiddenFields({ members }: Pick<FormPostProps, "members">): VNode {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return <>{present.map(([name, value]) => <input type="hidden" name={name} value={value} />)}</>;
}
