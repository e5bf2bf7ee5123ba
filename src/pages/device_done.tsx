/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface DeviceDoneProps extends FrameProps {
  clientName: string;
  allowed: boolean;
}

export function DeviceDone(props: DeviceDoneProps) {
  const { clientName, allowed } = props;
  return (
    <Frame {...props} title={allowed ? "Device connected" : "Device not connected"} width="narrow">
      <section class="card" id={allowed ? "device-allowed" : "device-denied"}>
        <h1 class={allowed ? "succeeded" : "failed"}>{allowed ? "Device connected" : "Not connected"}</h1>
        <p class="lead">
          {allowed ? <>You can go back to your device:</> : <>Nothing was given to</>}
          <strong>{clientName}</strong>
          {allowed ? <>{" "}goes on there in a moment.</> : <>, and its code is worth nothing now.</>}
        </p>
        <p class="fine">You may close this page.</p>
      </section>
    </Frame>
  );
}
