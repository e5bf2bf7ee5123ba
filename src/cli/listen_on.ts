import { isPortTaken } from "../runtime/listen.ts";
import {
  type Listening,
  serve,
  type ServedApplication,
  type ServeOptions,
} from "../runtime/serve.ts";

/** Another program listens on the port. */
export class PortTakenError extends Error {}

/** Where the program listens. */
export interface ListenAddress extends ServeOptions {
  hostname: string;
  port: number;
}

/** Listens on a port. If it is taken, the error names the option that chooses another one. */
export async function listenOn(
  application: (port: number) => ServedApplication | Promise<ServedApplication>,
  options: ListenAddress,
  option = "--port",
): Promise<Listening> {
  try {
    return await serve(application, options);
  } catch (cause) {
    if (!isPortTaken(cause)) throw cause;
    throw new PortTakenError(
      `port ${options.port} is already in use; choose another with ${option} N, or a free one ` +
        `with ${option} 0`,
    );
  }
}
