/** @jsxImportSource preact */
import { Frame, type FrameProps } from "./frame.tsx";

/** The page that sends a user back to the device. */
export interface DeviceDoneProps extends FrameProps {
  /** The name of the client. */
  clientName: string;
  /** Whether the user allowed the request. */
  allowed: boolean;
}

export function DeviceDone(props: DeviceDoneProps) {
  return props.allowed ? <Allowed {...props} /> : <Denied {...props} />;
}

function Allowed(props: DeviceDoneProps) {
  return (
    <Frame {...props} title="Device connected" width="narrow">
      <section class="card" id="device-allowed">
        <h1 class="succeeded">Device connected</h1>
        <p class="lead">
          <strong>{props.clientName}</strong> goes on by itself in a moment.
        </p>
        <p class="fine">You may close this page, and go back to your device.</p>
      </section>
    </Frame>
  );
}

function Denied(props: DeviceDoneProps) {
  return (
    <Frame {...props} title="Device not connected" width="narrow">
      <section class="card" id="device-denied">
        <h1>Device not connected</h1>
        <p class="lead">
          Nothing was given to{" "}
          <strong>{props.clientName}</strong>, and the code is worth nothing now.
        </p>
        <p class="fine">You may close this page.</p>
      </section>
    </Frame>
  );
}
