import type { ApiEntry } from "./entry.ts";
import { accessToken, scope, validAccessTokens } from "./kept.ts";
import { go, javascript, python, quarkus, springBoot3, springBoot4 } from "./toolchains.ts";

const jvm = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar"];

const keeps = [accessToken, scope, validAccessTokens];

/** Correct APIs, as the documentation of their libraries says. */
export const apis: readonly ApiEntry[] = [
  {
    name: "jose, Express",
    version: "6.2.18",
    follows: "docs: jwtVerify; createRemoteJWKSet",
    expected: [
      "A",
      "jwtVerify compares iss, aud, exp and nbf, and the scope is compared as a whole name.",
    ],
    toolchain: javascript,
    start: ["node", "jose_api.js"],
    path: "/orders",
    keeps,
  },
  {
    name: "express-oauth2-jwt-bearer",
    version: "1.10.0",
    follows: "README.md; EXAMPLES.md, Require scopes",
    expected: ["B", "It takes a token from the query, too, as its README says."],
    toolchain: javascript,
    start: ["node", "express_oauth2_jwt_bearer.js"],
    path: "/orders",
    keeps,
  },
  {
    name: "PyJWT, FastAPI",
    version: "2.15.1",
    follows: "pyjwt.readthedocs.io: Usage examples; fastapi.tiangolo.com: Security",
    expected: [
      "A",
      "decode compares iss, aud, exp and nbf with one algorithm, and each error of it is a 401.",
    ],
    toolchain: python,
    start: [".venv/bin/python", "pyjwt_api.py"],
    path: "/orders",
    keeps,
  },
  {
    name: "Authlib, Flask",
    version: "1.9.10",
    follows: "docs.authlib.org: Flask OAuth 2.0 Resource Server; RFC 9068",
    expected: ["B", "Its response to a small scope has no WWW-Authenticate."],
    toolchain: python,
    start: [".venv/bin/python", "authlib_api.py"],
    path: "/orders",
    keeps,
  },
  {
    name: "go-oidc",
    version: "3.21.0",
    follows: "pkg.go.dev: Verifier, Config",
    expected: ["A", "Verify compares iss, aud and exp, and each error of it is a 401."],
    toolchain: go,
    start: ["bin/gooidc_api"],
    path: "/orders",
    keeps,
  },
  {
    name: "go-jwt-middleware",
    version: "2.3.1",
    follows: "README.md; examples/http-jwks-example",
    expected: ["A", "ValidateToken compares iss, aud, exp and nbf, and each error of it is a 401."],
    toolchain: go,
    start: ["bin/go_jwt_middleware"],
    path: "/orders",
    keeps,
  },
  {
    name: "Spring Boot 3",
    version: "3.5.7",
    follows: "docs.spring.io: OAuth 2.0 Resource Server JWT",
    expected: [
      "A",
      "Its decoder compares iss, aud, exp and nbf; its challenges have what RFC 6750 names.",
    ],
    toolchain: springBoot3,
    start: [...jvm, "target/corpus.jar"],
    path: "/orders",
    accessTokenType: "JWT",
    keeps,
    startSeconds: 180,
  },
  {
    name: "Spring Boot 4",
    version: "4.0.7",
    follows: "docs.spring.io: OAuth 2.0 Resource Server JWT",
    expected: [
      "A",
      "Its decoder compares iss, aud, exp and nbf; its challenges have what RFC 6750 names.",
    ],
    toolchain: springBoot4,
    start: [...jvm, "target/corpus.jar"],
    path: "/orders",
    accessTokenType: "JWT",
    keeps,
    startSeconds: 180,
  },
  {
    name: "Quarkus",
    version: "3.33.2",
    follows: "quarkus.io/guides: security-oidc-bearer-token-authentication",
    expected: ["B", "Its response to a small scope has no WWW-Authenticate."],
    toolchain: quarkus,
    start: [...jvm, "target/quarkus-app/quarkus-run.jar"],
    path: "/orders",
    keeps,
    startSeconds: 180,
  },
];
