import { withAddress } from "../http/address.ts";
import type { Listen } from "./listen.ts";
import { failed } from "./listen.ts";

export const listenOnDeno: Listen = async ({ fetch, cert, key, ...where }) => {
  const tls = cert && key ? { cert, key } : {};
  const flight = countFlight();
  const server = Deno.serve(
    { ...where, ...tls, onListen: () => {}, onError: failed },
    (request, { remoteAddr }) =>
      flight.during(() => fetch(withAddress(request, "hostname" in remoteAddr ? remoteAddr.hostname : undefined))),
  );
  return {
    port: server.addr.port,
    close: async () => {
      // Deno's own shutdown takes the bodies away from requests that are still being read.
      await flight.landed();
      await server.shutdown();
    },
  };
};

/** Knows how many requests are being answered, and turns newcomers away once it waits for the last of them. */
function countFlight() {
  const last = Promise.withResolvers<void>();
  let open = 0;
  let closing = false;
  return {
    async during(answer: () => Promise<Response>): Promise<Response> {
      if (closing) return new Response(null, { status: 503, headers: { Connection: "close" } });
      open++;
      try {
        return await answer();
      } finally {
        open--;
        if (closing && open === 0) last.resolve();
      }
    },
    landed(): Promise<void> {
      closing = true;
      if (open === 0) last.resolve();
      return last.promise;
    },
  };
}
