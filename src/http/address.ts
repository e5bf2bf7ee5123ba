/** The address of the peer, where the runtime tells it. */
export function addressOf(request: Request): string | undefined {
  return "ip" in request && typeof request.ip === "string" ? request.ip : undefined;
}
