/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeBlock, CopyText } from "../../../pages/parts/copy_text.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import { type Fact, Facts } from "../../../pages/parts/tables.tsx";
import type { EnterpriseSetting } from "../config.ts";
import type { DescribedEnterprise } from "../handling/describe_enterprise.ts";

/**
 * Shows who takes part in the enterprise of a lab, if there is one, and the way from a sign-in to a
 * tool.
 */
export async function enterpriseSection(
  lab: CoreLab,
  call: LabPageCall,
): Promise<VNode | undefined> {
  if (!lab.settings.config<EnterpriseSetting>().enterprise) return undefined;
  const { describeEnterprise } = await import("../handling/describe_enterprise.ts");
  const enterprise = await describeEnterprise(lab);
  if (!enterprise) return undefined;
  const { company, page, employees, walk } = enterprise;
  const maySeeSecrets = await call.mayEnter();
  return (
    <Section title="Enterprise" id="enterprise">
      <p class="help">
        The <a href={page}>identity provider of a company</a>{" "}
        decides which tools its employees may use here. It issues ID-JAGs, which this lab redeems.
      </p>
      <Facts
        facts={[
          ["Identity provider", <CopyText what="issuer of the company" text={company} />],
          ...employees.map((
            { name, scopes },
          ): Fact => [<code>{name}</code>, describeScopes(scopes)]),
          ...maySeeSecrets ? clientFacts(enterprise) : [],
        ]}
      />
      {maySeeSecrets && walk.length > 0 && (
        <details id="enterprise-walk">
          <summary>From a sign-in to a tool, in a shell</summary>
          <CodeBlock
            what="commands"
            text={walk.flatMap(({ title, command }) => [`# ${title}`, command]).join("\n")}
          />
        </details>
      )}
    </Section>
  );
}

function clientFacts({ clients }: DescribedEnterprise): Fact[] {
  const secret = ({ id, secret }: DescribedEnterprise["clients"]["mcp"]) => (
    <>
      <CopyText what="client id" text={id} /> with the secret{" "}
      <CopyText what="secret" text={secret} />
    </>
  );
  return [
    ["Client at the company", secret(clients.company)],
    ["The same client here", secret(clients.mcp)],
  ];
}

function describeScopes(scopes: readonly string[]): string {
  return scopes.length > 0 ? `may ${scopes.join(" and ")}` : "gets no ID-JAG";
}
