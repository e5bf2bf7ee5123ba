/** Ranges of IPv4 that are not the public internet (RFC 6890 and its registry), and one where a cloud answers its own machines. */
const specialRanges: ReadonlyArray<[start: string, bits: number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Whether an address is one of the public internet, behind which nothing of our own can be. A name is none. */
export function isPublicAddress(text: string): boolean {
  const url = `http://${text.includes(":") ? `[${text}]` : text}/`;
  // The parser knows every way to write an address: 2130706433, 0x7f.1, 0177.0.0.1, ::ffff:127.0.0.1.
  const host = /^[\da-fx.:]+$/i.test(text) && URL.canParse(url) ? new URL(url).hostname : "";
  if (host.startsWith("[")) return isPublicIpv6(ipv6Groups(host.slice(1, -1)));
  return /^\d+(\.\d+){3}$/.test(host) && isPublicIpv4(numberOf(host));
}

function isPublicIpv4(address: number): boolean {
  return !specialRanges.some(([start, bits]) =>
    address >>> (32 - bits) === numberOf(start) >>> (32 - bits)
  );
}

/** Only 2000::/3 is given out, without what is set apart in it: protocols, documentation, and tunnels that lead to IPv4. */
function isPublicIpv6(groups: readonly number[]): boolean {
  const [first, second] = groups;
  if (isTranslated(groups)) return isPublicIpv4(groups[6] * 0x10000 + groups[7]);
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return false;
  return first >= 0x2000 && first <= 0x3fff;
}

/** An IPv4 address as networks without IPv4 reach it (RFC 6052), or as IPv6 sockets write it (RFC 4291, section 2.5.5.2). */
function isTranslated([first, second, ...rest]: readonly number[]): boolean {
  const middle = rest.slice(0, 4);
  if (first === 0x64 && second === 0xff9b) return middle.every((group) => group === 0);
  return first === 0 && second === 0 && middle.join() === "0,0,0,65535";
}

function numberOf(ipv4: string): number {
  return ipv4.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

/** The eight groups of an IPv6 address, as the URL parser writes it. */
export function ipv6Groups(ipv6: string): number[] {
  const [head, tail] = ipv6.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(tail === undefined ? 0 : 8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail ?? []].map((group) => parseInt(group, 16));
}
