/** IPv4 ranges that are not public (RFC 6890 and its registry), and a cloud metadata address. */
const specialRanges: ReadonlyArray<readonly [start: string, bits: number]> = [
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

/** The eight groups of an IPv6 address. */
export type Ipv6Groups = [number, number, number, number, number, number, number, number];

/** Whether a text is an address of the public internet. Names are not addresses. */
export function isPublicAddress(text: string): boolean {
  const url = `http://${text.includes(":") ? `[${text}]` : text}/`;
  if (!/^[\da-fx.:]+$/i.test(text) || !URL.canParse(url)) return false;
  // The URL parser knows all spellings: 2130706433, 0x7f.1, 0177.0.0.1, ::ffff:127.0.0.1.
  const { hostname } = new URL(url);
  if (hostname.startsWith("[")) return isPublicIpv6(ipv6Groups(hostname.slice(1, -1)));
  return /^\d+(\.\d+){3}$/.test(hostname) && isPublicIpv4(ipv4Number(hostname));
}

/** Returns the groups of an IPv6 address that a URL parser has normalized. */
export function ipv6Groups(ipv6: string): Ipv6Groups {
  const [head = [], tail] = ipv6.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(tail === undefined ? 0 : 8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail ?? []].map((group) => parseInt(group, 16));
  return groups as Ipv6Groups;
}

function isPublicIpv4(address: number): boolean {
  return !specialRanges.some(([start, bits]) =>
    address >>> (32 - bits) === ipv4Number(start) >>> (32 - bits)
  );
}

/** Only 2000::/3 is public, except its ranges for protocols, documentation, and tunnels to IPv4. */
function isPublicIpv6(groups: Ipv6Groups): boolean {
  const [first, second] = groups;
  if (isTranslated(groups)) return isPublicIpv4(groups[6] * 0x10000 + groups[7]);
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return false;
  return first >= 0x2000 && first <= 0x3fff;
}

/** Whether an IPv4 address is translated (RFC 6052) or mapped (RFC 4291, section 2.5.5.2). */
function isTranslated([first, second, ...rest]: Ipv6Groups): boolean {
  const middle = rest.slice(0, 4);
  if (first === 0x64 && second === 0xff9b) return middle.every((group) => group === 0);
  return first === 0 && second === 0 && middle.join() === "0,0,0,65535";
}

function ipv4Number(ipv4: string): number {
  return ipv4.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}
