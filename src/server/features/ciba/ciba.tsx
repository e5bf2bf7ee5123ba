/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "../../pages/frame.tsx";
import { ClientName } from "../../pages/parties.tsx";
import type { CibaWords } from "./languages/words.ts";

/** The props of the page that confirms what a user decided about a backchannel request. */
export interface BackchannelDoneProps extends FrameProps<CibaWords> {
  /** The name of the client. */
  clientName: string;
  /** Whether the user allowed the request. */
  allowed: boolean;
  /** The page on which users manage their account, if the server has it. */
  accountPath?: string | undefined;
}

/** The default page `backchannelDone`. */
export function BackchannelDone(props: BackchannelDoneProps): VNode {
  const { language, allowed, clientName, accountPath } = props;
  const { backchannelDone: words, common } = language.words;
  const title = allowed ? words.allowed : words.denied;
  return (
    <Frame {...props} title={title} width="narrow">
      <section class="card" id={allowed ? "backchannel-allowed" : "backchannel-denied"}>
        <h1 class={allowed ? "succeeded" : undefined}>{title}</h1>
        <ClientName name={clientName} />
        <p class="lead">{allowed ? words.continues : words.noAccess}</p>
        {accountPath
          ? <a href={accountPath}>{common.yourAccount}</a>
          : <p class="fine">{words.close}</p>}
      </section>
    </Frame>
  );
}
