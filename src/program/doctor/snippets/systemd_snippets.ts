/** Limits for all our processes, which need no rights besides network and files. */
const hardening = `CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
UMask=0077`;

/** What both services have: their user, their settings, and the folder of the store. */
const identity = `# HALLPASS_CONFIG, HALLPASS_STORE, HALLPASS_SECRET, HALLPASS_PORT, ...
EnvironmentFile=/etc/hallpass/hallpass.env
User=hallpass
StateDirectory=hallpass
StateDirectoryMode=0700`;

/** Services that may be on this machine. It does not matter if they are not. */
const after = "network-online.target postgresql.service redis-server.service";

/**
 * Returns the unit of the server. Its own state is all that the process can write. It starts again
 * as often as necessary: a database on another machine may take longer to start than this one.
 */
export function systemd(): string {
  return `# /etc/systemd/system/hallpass.service
[Unit]
Description=Hallpass, an OpenID Connect server
After=${after}
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/local/bin/hallpass serve
${identity}
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
LimitNOFILE=65536

${hardening}

[Install]
WantedBy=multi-user.target
`;
}

/**
 * Returns the unit that makes a backup with a command, and then deletes those that are older than
 * 30 days.
 */
export function backupUnit(description: string, settings: readonly string[]): string {
  return `# /etc/systemd/system/hallpass-backup.service
[Unit]
Description=${description}
After=${after}

[Service]
Type=oneshot
${settings.join("\n")}
# Only after a success: without a new backup, the old ones stay.
ExecStartPost=/usr/bin/find /var/backups/hallpass -name 'hallpass-*' -mtime +30 -delete
${identity}
ReadWritePaths=/var/backups/hallpass

${hardening}
`;
}
