import { isPortTaken } from "../../runtime/listen.ts";
import {
  type Listening,
  serve,
  type ServedApplication,
  type ServeOptions,
} from "../../runtime/serve.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";

/** Where the program listens. */
export interface ListenAddress extends ServeOptions {
  hostname: string;
  port: number;
  /** What to do if the port cannot be opened, in place of the usual advice. */
  advice?: (port: number, isTaken: boolean) => string;
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
    if (isPortTaken(cause)) {
      const usual = `choose another with ${option} N, or a free one with ${option} 0`;
      const advice = options.advice?.(options.port, true) ?? usual;
      throw new Error(`port ${options.port} is already in use; ${advice}`);
    }
    const explanation = explainListening(cause, options, option);
    throw explanation === undefined ? cause : new Error(explanation);
  }
}

/** Returns why a program cannot listen at an address, by the code or the words of each runtime. */
export function explainListening(
  cause: unknown,
  { hostname, port, advice }: Pick<ListenAddress, "hostname" | "port" | "advice">,
  option = "--port",
): string | undefined {
  const words = messagesOf(cause);
  if (/EACCES|permission denied/i.test(words)) {
    const usual = `choose one from 1024 on with ${option} N, and let a proxy listen on that port`;
    return `this user may not listen on port ${port}; ${advice?.(port, false) ?? usual}`;
  }
  const isForeignHost =
    /EADDRNOTAVAIL|EAI_AGAIN|EAI_NONAME|ENOTFOUND|address not available|assign requested address|lookup address/i;
  if (isForeignHost.test(words)) {
    return `${hostname} is not an address of this machine; choose another with ` +
      option.replace("port", "host");
  }
  return undefined;
}
