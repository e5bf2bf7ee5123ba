/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FrameProps } from "../../pages/frame.tsx";
import { Decided } from "../device/decided.tsx";
import type { CibaWords } from "./languages/en.ts";

/** The props of the page that confirms what a user decided about a backchannel request. */
export interface BackchannelDoneProps extends FrameProps<CibaWords> {
  /** The name of the client. */
  clientName: string;
  /** Whether the user allowed the request. */
  allowed: boolean;
  /** The page on which users manage their account. */
  accountPath: string;
}

/** The default page `backchannelDone`. */
export function BackchannelDone({ accountPath, ...props }: BackchannelDoneProps): VNode {
  const { backchannelDone: words, common } = props.language.words;
  return (
    <Decided {...props} kind="backchannel" words={words}>
      <a href={accountPath}>{common.yourAccount}</a>
    </Decided>
  );
}
