/** Headers of a request, by their names. */
export type SentHeaders = Readonly<Record<string, string>>;

/** Headers that gateways and frameworks set once they have checked who calls. */
const userHeaders = [
  ...["X-User", "X-User-Id", "X-User-Name", "X-Username", "X-User-Email", "X-Userinfo"],
  ...["X-Remote-User", "Remote-User", "X-Authenticated-User", "X-Authenticated-Userid"],
  ...["X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-Preferred-Username"],
  ...["X-Auth-User", "X-Auth-Request-User", "X-Auth-Request-Email", "X-Auth-Username"],
  ...["X-Webauth-User", "X-Token-Subject", "X-Token-Sub", "X-Jwt-Sub", "X-Sub"],
  ...["X-Ms-Client-Principal-Name", "X-Amzn-Oidc-Identity", "X-Consumer-Username"],
  ...["X-Goog-Authenticated-User-Email", "X-Authenticated-Email", "X-Forwarded_User"],
];

/** Headers by which a request looks as if it came from this machine, or from another service. */
const innerHeaders: SentHeaders = {
  ...valued(
    ["X-Forwarded-For", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "Client-Ip"],
    "127.0.0.1",
  ),
  "Forwarded": "for=127.0.0.1;host=localhost",
  "X-Forwarded-Host": "localhost",
  ...valued(["X-Internal", "X-Internal-Request", "X-Internal-Call", "X-From-Gateway"], "true"),
  ...valued(
    ["X-Trusted", "X-Authenticated", "X-Auth-Verified", "X-Verified", "X-Skip-Auth"],
    "true",
  ),
  "X-Middleware-Subrequest": Array(5).fill("middleware").join(":"),
};

const preflightHeaders: SentHeaders = {
  "Origin": "https://attacker.example",
  "Access-Control-Request-Method": "GET",
  "X-Forwarded-Method": "OPTIONS",
};

const probes = ["kube-probe/1.31", "ELB-HealthChecker/2.0", "GoogleHC/1.0", "Prometheus/3.0"];

/**
 * Returns headers by which a request looks as if a proxy had let it pass, those of one kind together:
 * as from this machine, as one for an open path, as one that a browser or a health check sends.
 */
export function proxyHeaders(openPath = "/health"): SentHeaders[] {
  const names = ["X-Original-Url", "X-Rewrite-Url", "X-Original-Uri", "X-Forwarded-Uri"];
  return [
    innerHeaders,
    valued([...names, "X-Forwarded-Path", "X-Forwarded-Prefix"], openPath),
    preflightHeaders,
    ...probes.map((probe) => ({ "User-Agent": probe })),
  ];
}

/** Returns the headers by which proxies name the user of a request. */
export function namingHeaders(user: string, email: string): SentHeaders {
  return Object.fromEntries(
    userHeaders.map((name) => [name, /email/i.test(name) ? email : user]),
  );
}

/** Gives headers, or other parts of a request, one value. */
export function valued(names: readonly string[], value: string): SentHeaders {
  return Object.fromEntries(names.map((name) => [name, value]));
}
