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
    toolchain: javascript,
    start: ["node", "jose_api.js"],
    path: "/orders",
    keeps,
  },
  {
    name: "express-oauth2-jwt-bearer",
    version: "1.10.0",
    follows: "README.md; EXAMPLES.md, Require scopes",
    toolchain: javascript,
    start: ["node", "express_oauth2_jwt_bearer.js"],
    path: "/orders",
    keeps,
  },
  {
    name: "PyJWT, FastAPI",
    version: "2.15.1",
    follows: "pyjwt.readthedocs.io: Usage examples; fastapi.tiangolo.com: Security",
    toolchain: python,
    start: [".venv/bin/python", "pyjwt_api.py"],
    path: "/orders",
    keeps,
  },
  {
    name: "Authlib, Flask",
    version: "1.9.10",
    follows: "docs.authlib.org: Flask OAuth 2.0 Resource Server; RFC 9068",
    toolchain: python,
    start: [".venv/bin/python", "authlib_api.py"],
    path: "/orders",
    keeps,
  },
  {
    name: "go-oidc",
    version: "3.21.0",
    follows: "pkg.go.dev: Verifier, Config",
    toolchain: go,
    start: ["bin/gooidc_api"],
    path: "/orders",
    keeps,
  },
  {
    name: "go-jwt-middleware",
    version: "2.3.1",
    follows: "README.md; examples/http-jwks-example",
    toolchain: go,
    start: ["bin/go_jwt_middleware"],
    path: "/orders",
    keeps,
  },
  {
    name: "Spring Boot 3",
    version: "3.5.7",
    follows: "docs.spring.io: OAuth 2.0 Resource Server JWT",
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
    toolchain: quarkus,
    start: [...jvm, "target/quarkus-app/quarkus-run.jar"],
    path: "/orders",
    keeps,
    startSeconds: 180,
  },
];
