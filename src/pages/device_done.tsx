/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page that sends a user back to the device. */
export interface DeviceDoneProps extends FrameProps {
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
  return (
    <Frame {...props} title="Device connected" width="narrow">
      <section class="card" id="device-allowed">
        <h1 class="succeeded">Device connected</h1>
        <p class="lead">
          <strong>{props.clientName}</strong> will continue on its own.
        </p>
        <p class="fine">You can close this page and go back to your device.</p>
      </section>
    </Frame>
  );
}

function DeviceDenied(props: DeviceDoneProps): VNode {
  return (
    <Frame {...props} title="Device not connected" width="narrow">
      <section class="card" id="device-denied">
        <h1>Device not connected</h1>
        <p class="lead">
          <strong>{props.clientName}</strong> has no access, and the code no longer works.
        </p>
        <p class="fine">You can close this page.</p>
      </section>
    </Frame>
  );
}
