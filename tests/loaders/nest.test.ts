// A Nest application whose guard trusts the lab, tested with Jest's defaults for TypeScript.
import "reflect-metadata";
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  UseGuards,
} from "@nestjs/common";
import { Test } from "@nestjs/testing";
import { protectedResource } from "hallpass/resource";
import { hallpass, type TestLab } from "hallpass/testing";

@Injectable()
class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest();
    const api = protectedResource({ resource: lab.issuer, authorizationServers: [lab.issuer] });
    const access = await api.require(new Request(lab.issuer, { headers }));
    return !(access instanceof Response);
  }
}

@Controller()
class DocumentsController {
  @Get("documents") @UseGuards(TokenGuard)
  list(): string[] {
    return ["one"];
  }
}

let lab: TestLab;
let app: INestApplication;

beforeAll(async () => {
  lab = await hallpass({ listen: true });
  const testing = await Test.createTestingModule({ controllers: [DocumentsController] }).compile();
  app = testing.createNestApplication();
  await app.listen(0);
});

afterAll(async () => {
  await app.close();
  await lab.close();
});

test.each([["with a token", true, 200], ["without one", false, 403]])(
  "%s",
  async (_, has, status) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "read" });
    const headers: Record<string, string> = has ? { Authorization: `Bearer ${access_token}` } : {};
    expect((await fetch(`${await app.getUrl()}/documents`, { headers })).status).toBe(status);
  },
);
