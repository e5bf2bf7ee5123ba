// How APIs check access tokens: each function returns one that reads the subject of a token. It
// rejects, or returns undefined, if the library refuses the token.
import fastifyJwt from "@fastify/jwt";
import { JwtVerifier } from "aws-jwt-verify";
import express from "express";
import { auth } from "express-oauth2-jwt-bearer";
import fastify from "fastify";
import buildGetJwks from "get-jwks";
import jsonwebtoken from "jsonwebtoken";
import jwksRsa from "jwks-rsa";
import Koa from "koa";
import koaJwt from "koa-jwt";
import { createServer } from "node:http";
import { after } from "node:test";
import { promisify } from "node:util";
import { Strategy } from "passport-jwt";

const algorithms = ["RS256"];

export const libraries = {
  "express-oauth2-jwt-bearer"({ issuer, audience }) {
    const app = express();
    app.use(auth({ issuerBaseURL: issuer, audience }));
    app.get("/", ({ auth }, response) => response.send(auth.payload.sub));
    app.use((error, _request, response, _next) => response.status(error.status).end());
    return listen(app);
  },

  "jsonwebtoken with jwks-rsa"({ issuer, audience, jwksUri }) {
    const client = jwksRsa({ jwksUri });
    const getKey = ({ kid }, done) =>
      client.getSigningKey(kid, (error, key) => done(error, key?.getPublicKey()));
    const verify = promisify(jsonwebtoken.verify);
    return async (token) => (await verify(token, getKey, { issuer, audience, algorithms })).sub;
  },

  "koa-jwt with jwks-rsa"({ issuer, audience, jwksUri }) {
    const app = new Koa();
    app.silent = true;
    const secret = jwksRsa.koaJwtSecret({ jwksUri });
    app.use(koaJwt({ secret, issuer, audience, algorithms }));
    app.use((context) => void (context.body = context.state.user.sub));
    return listen(app.callback());
  },

  "passport-jwt with jwks-rsa"({ issuer, audience, jwksUri }) {
    const jwtFromRequest = ({ token }) => token;
    const secretOrKeyProvider = jwksRsa.passportJwtSecret({ jwksUri });
    const settings = { jwtFromRequest, secretOrKeyProvider, issuer, audience, algorithms };
    const strategy = new Strategy(settings, (claims, done) => done(null, claims));
    return (token) =>
      new Promise((resolve, reject) => {
        const success = ({ sub }) => resolve(sub);
        const attempt = Object.assign(Object.create(strategy), {
          success,
          fail: reject,
          error: reject,
        });
        attempt.authenticate({ token });
      });
  },

  async "@fastify/jwt with get-jwks"({ issuer, audience, jwksUri }) {
    const keys = buildGetJwks({ jwksPath: new URL(jwksUri).pathname });
    const app = fastify();
    after(() => app.close());
    await app.register(fastifyJwt, {
      decode: { complete: true },
      secret: (_, { header: { kid, alg } }) => keys.getPublicKey({ kid, alg, domain: issuer }),
      verify: { allowedIss: issuer, allowedAud: audience },
    });
    app.get("/", async (request) => (await request.jwtVerify()).sub);
    return async (token) => {
      const response = await app.inject({ url: "/", headers: bearer(token) });
      return response.statusCode === 200 ? response.body : undefined;
    };
  },

  "aws-jwt-verify"({ issuer, audience, jwksUri }) {
    const verifier = JwtVerifier.create({ issuer, audience, jwksUri });
    return async (token) => (await verifier.verify(token)).sub;
  },
};

/** Serves an API on a free port, and returns a client that reads the subject from it. */
function listen(handler) {
  const server = createServer(handler).listen(0);
  after(() => server.close());
  return async (token) => {
    const url = `http://localhost:${server.address().port}`;
    const response = await fetch(url, { headers: bearer(token) });
    return response.ok ? await response.text() : undefined;
  };
}

function bearer(token) {
  return { Authorization: `Bearer ${token}` };
}
