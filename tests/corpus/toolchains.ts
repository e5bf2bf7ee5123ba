import type { Toolchain } from "./entry.ts";

export const javascript: Toolchain = npm("javascript");
export const mcpTypescript: Toolchain = npm("mcp_typescript");

export const python: Toolchain = pip("python");
export const jupyterhub: Toolchain = pip(
  "jupyterhub",
  " && npm ci --prefer-offline --no-audit --no-fund --ignore-scripts",
);
export const mcpPython: Toolchain = pip("mcp_python");

/** They have hundreds of megabytes of dependencies, so that they take minutes. */
export const streamlit: Toolchain = { ...pip("streamlit"), isSlow: true };
export const synapse: Toolchain = { ...pip("synapse"), isSlow: true };
export const superset: Toolchain = { ...pip("superset"), isSlow: true };
export const pgadmin: Toolchain = { ...pip("pgadmin"), isSlow: true };
export const mlflow: Toolchain = { ...pip("mlflow"), isSlow: true };

export const go: Toolchain = {
  folder: "go",
  install: ["go", "build", "-o", "bin/", "./..."],
  pinned: [
    "go.mod",
    "go.sum",
    ...["gooidc", "zitadel", "gooidc_api", "go_jwt_middleware"].map((name) => `${name}/main.go`),
  ],
  probe: ["sh", "-c", "go version | grep -qE 'go1\\.(2[6-9]|[3-9][0-9])'"],
};

/** It has many dependencies, so it takes minutes. */
export const oauth2Proxy: Toolchain = {
  folder: "oauth2_proxy",
  install: ["go", "build", "-o", "bin/oauth2-proxy", "github.com/oauth2-proxy/oauth2-proxy/v7"],
  pinned: ["go.mod", "go.sum"],
  probe: go.probe,
  isSlow: true,
};

export const springBoot3: Toolchain = maven("java/spring_boot_3", [
  "src/main/java/corpus/Corpus.java",
]);
export const springBoot4: Toolchain = maven("java/spring_boot_4", [
  "src/main/java/corpus/Corpus.java",
]);
export const quarkus: Toolchain = maven("java/quarkus", [
  "src/main/java/Corpus.java",
  "src/main/resources/application.properties",
]);

/** A server of 320 megabytes, which builds itself when it first starts. */
export const keycloak: Toolchain = {
  folder: "keycloak",
  install: [
    "sh",
    "-c",
    "mvn -q -B -ntp dependency:unpack -Dartifact=$(cat artifact.txt) -DoutputDirectory=. && chmod +x */bin/kc.sh",
  ],
  pinned: ["artifact.txt"],
  probe: springBoot3.probe,
  isSlow: true,
};

/** From Debian's packages, unpacked and not installed. */
export const apache: Toolchain = {
  folder: "apache",
  install: [
    "sh",
    "-c",
    "apt-get -qq download $(cat packages.txt) && for each in *.deb; do dpkg -x $each root; done && rm *.deb",
  ],
  pinned: ["packages.txt"],
  probe: ["apt-cache", "show", "libapache2-mod-auth-openidc"],
};

/** From Debian's packages. */
export const ruby: Toolchain = {
  folder: "ruby",
  install: ["true"],
  pinned: [],
  probe: ["ruby", "-romniauth_openid_connect", "-rrack/handler/webrick", "-e", "1"],
};

function npm(folder: string): Toolchain {
  return {
    folder,
    install: ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
    pinned: ["package-lock.json"],
    probe: ["node", "--version"],
  };
}

function pip(folder: string, more = ""): Toolchain {
  const options = "-q --disable-pip-version-check --no-deps -r requirements.txt";
  return {
    folder,
    install: [
      "sh",
      "-c",
      `python3 -m venv .venv && .venv/bin/pip install ${options}${more}`,
    ],
    pinned: ["requirements.txt"],
    probe: ["python3", "-c", "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 10))"],
  };
}

function maven(folder: string, sources: readonly string[]): Toolchain {
  return {
    folder,
    install: ["mvn", "-q", "-B", "-ntp", "-DskipTests", "package"],
    pinned: ["pom.xml", ...sources],
    probe: ["sh", "-c", "mvn -v | grep -qE 'Java version: (1[7-9]|[2-9][0-9])'"],
  };
}
