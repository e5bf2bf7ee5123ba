// Browsers exchange cookies with the network only, not with a service worker. It keeps its own,
// for as long as it runs: that of a server with its store in memory.
const cookies = new Map();

/** Keeps the cookies of each response. */
export function installCookies() {
  self.Response = class extends Response {
    constructor(body, init) {
      super(body, init);
      const headers = new Headers(init?.headers);
      for (const cookie of headers.getSetCookie()) keep(cookie);
    }
  };
}

function keep(cookie) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
  if (/;\s*Max-Age=0/i.test(cookie)) cookies.delete(name);
  else cookies.set(name, value);
}

/** Returns a request with the kept cookies. */
export function withCookies(request) {
  const headers = new Headers(request.headers);
  headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
  return new Proxy(request, {
    get(target, name) {
      if (name === "headers") return headers;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
