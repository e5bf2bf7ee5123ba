/** Whether a URL has the origin of one of the addresses of a lab. */
export function isAddress(url: string, addresses: readonly string[]): boolean {
  const { origin } = new URL(url);
  return addresses.some((address) => new URL(address).origin === origin);
}

/** Explains which addresses a lab has, for a URL with the origin of none of them. */
export function describeForeignUrl(url: string, addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `'${url.split("?")[0]}' is not an address of this lab. Its addresses: ${list}`;
}
