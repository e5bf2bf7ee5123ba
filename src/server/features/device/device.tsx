/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import { Decided } from "./decided.tsx";
import type { DeviceFlowWords } from "./languages/en.ts";

/** The props of the page on which a user enters the code of a device (RFC 8628). */
export interface DeviceProps extends FrameProps<DeviceFlowWords>, GuardedForm {
  /** The code that came in the link, if one did. */
  userCode?: string | undefined;
  /** Whether the code that was entered is unknown. */
  failed: boolean;
}

export function Device(props: DeviceProps): VNode {
  const { language, userCode, failed } = props;
  const words = language.words.device;
  return (
    <Frame {...props} title={words.title} width="narrow" guard={userCode !== undefined}>
      <section class="card">
        <h1>{words.title}</h1>
        <p class="lead">{userCode ? words.sameCode : words.enterCode}</p>
        <p class="caution">{words.caution}</p>
        {failed && <p class="alert" id="device-failed" role="alert">{words.failed}</p>}
        <DeviceForm {...props} />
      </section>
    </Frame>
  );
}

function DeviceForm({ language, action, formToken, userCode, failed }: DeviceProps): VNode {
  const { device, common } = language.words;
  return (
    <form id="device" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      <label for="user_code">{device.code}</label>
      <input
        id="user_code"
        name="user_code"
        value={userCode}
        placeholder="XXXX-XXXX"
        dir="ltr"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        required
        autofocus={!userCode}
        aria-describedby={failed ? "device-failed" : undefined}
      />
      <button id="device-button" type="submit" data-guarded={userCode !== undefined}>
        {userCode ? device.confirm : common.continue}
      </button>
    </form>
  );
}

/** The props of the page that sends a user back to the device. */
export interface DeviceDoneProps extends FrameProps<DeviceFlowWords> {
  /** The name of the client. */
  clientName: string;
  /** Whether the user allowed the request. */
  allowed: boolean;
}

/** The default page `deviceDone`. */
export function DeviceDone(props: DeviceDoneProps): VNode {
  const words = props.language.words.deviceDone;
  return (
    <Decided {...props} kind="device" words={words}>
      <p class="fine">{props.allowed ? words.goBack : words.close}</p>
    </Decided>
  );
}
