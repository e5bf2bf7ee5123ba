import type { Listen } from "./listen.ts";
import { failed, withAddress } from "./listen.ts";

export const listenOnDeno: Listen = async ({ fetch, cert, key, ...where }) => {
  const tls = cert && key ? { cert, key } : {};
  const server = Deno.serve(
    { ...where, ...tls, onListen: () => {}, onError: failed },
    (request, { remoteAddr }) => fetch(withAddress(request, "hostname" in remoteAddr ? remoteAddr.hostname : undefined)),
  );
  return { port: server.addr.port, close: () => server.shutdown() };
};
