import { LabError } from "../../util/lab_error.ts";
import { failsAnyway } from "../verdicts/conclude.ts";
import { createControls } from "../verdicts/controls.ts";
import { isAccepted } from "./call_api.ts";
import type { DrilledApi } from "./drilled_api.ts";

/** What is special about the request that is the control of the others. */
export const validToken = "a valid token";

/** Why a request shows nothing, although it was sent twice. */
export class UndeliveredError extends LabError {}

export type ControlledApi = ReturnType<typeof withControls>;

/** Lets a refusal by an API count only next to a valid token that it accepts. */
export function withControls(api: DrilledApi) {
  const controls = createControls<typeof validToken>();
  const recent = () => controls.recent(validToken);
  let isGone = false;

  /** Presents a valid token. Returns how the API responded, if it accepted that. */
  async function control(): Promise<string | undefined> {
    const response = await api.send(await api.present(await api.mint(), validToken));
    const { status, problem } = response;
    if (status === 0 && isGone) throw new LabError(`${api.url} stopped responding: ${problem}.`);
    isGone = status === 0;
    const seen = `status ${status} for ${validToken}`;
    const isValid = isAccepted(response);
    if (isValid) controls.succeed(validToken, seen);
    else controls.fail();
    return isValid ? seen : undefined;
  }

  return {
    ...api,
    control,
    recent,
    takeVoid: controls.takeVoid,
    async send(...[request]: Parameters<DrilledApi["send"]>) {
      const response = await api.send(request);
      if (request.isUncontrolled) return response;
      const { status, isLate, isSecond, problem } = response;
      if (isSecond) controls.disturb();
      const isClosed = request.isLarge && !isLate;
      if (status === 0 && !isClosed) {
        throw new UndeliveredError(`No response to ${request.what}: ${problem}.`);
      }
      if (isAccepted(response)) return response;
      controls.refuse();
      const known = recent() ?? await control() ?? await control();
      if (known === undefined) throw new UndeliveredError(failsAnyway);
      return response;
    },
  };
}
