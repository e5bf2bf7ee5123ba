/** @jsxImportSource preact */
import type { VNode } from "preact";
import { ClientName } from "../../pages/about_client.tsx";
import { Frame, type FrameProps } from "../../pages/frame.tsx";
import type { DeviceFlowWords } from "./languages/words.ts";

/** The props of the page that sends a user back to the device. */
export interface DeviceDoneProps extends FrameProps<DeviceFlowWords> {
  /** The name of the client. */
  clientName: string;
  /** Whether the user allowed the request. */
  allowed: boolean;
}

/** The default page `deviceDone`. */
export function DeviceDone(props: DeviceDoneProps): VNode {
  return props.allowed ? <DeviceAllowed {...props} /> : <DeviceDenied {...props} />;
}

function DeviceAllowed(props: DeviceDoneProps): VNode {
  const words = props.language.words.deviceDone;
  return (
    <Frame {...props} title={words.allowed} width="narrow">
      <section class="card" id="device-allowed">
        <h1 class="succeeded">{words.allowed}</h1>
        <ClientName name={props.clientName} />
        <p class="lead">{words.continues}</p>
        <p class="fine">{words.goBack}</p>
      </section>
    </Frame>
  );
}

function DeviceDenied(props: DeviceDoneProps): VNode {
  const words = props.language.words.deviceDone;
  return (
    <Frame {...props} title={words.denied} width="narrow">
      <section class="card" id="device-denied">
        <h1>{words.denied}</h1>
        <ClientName name={props.clientName} />
        <p class="lead">{words.noAccess}</p>
        <p class="fine">{words.close}</p>
      </section>
    </Frame>
  );
}
