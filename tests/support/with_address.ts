/** Records the address of the peer on a request, as a listener does. */
export function withAddress(request: Request, ip: string | undefined): Request {
  return Object.assign(request, { ip });
}
