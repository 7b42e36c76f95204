import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../stack/programs.ts';

/** `npm run test:containers`: starts the compose stack for real (decision 198). It needs root, podman and debootstrap. */
const PROGRAMS = ['podman', 'runc', 'debootstrap', 'pip', 'python3', 'openssl'];
const missing = PROGRAMS.filter((program) => !onPath(program, process.env));
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(
    `The compose stack can't be tried here: it needs root and ${PROGRAMS.join(', ')}` +
      `${missing.length > 0 ? `; ${missing.join(', ')} is missing` : ''}. On Debian: apt-get install --no-install-recommends podman buildah ` +
      'runc netavark aardvark-dns iptables debootstrap catatonit',
  );
  process.exit(1);
}

const NAME = 'subjectAltName=DNS:leashwise.internal';
const folder = mkdtempSync(join(tmpdir(), 'leashwise-containers-'));
try {
  // What podman needs where systemd isn't, and for `init: true`.
  const settings = join(folder, 'containers.conf');
  writeFileSync(
    settings,
    '[containers]\ndefault_ulimits = ["nofile=20000:20000","nproc=4096:4096"]\ninit_path = "/usr/bin/catatonit"\n' +
      '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n',
  );
  const [certificate, key] = ['full.pem', 'key.pem'].map((name) => join(folder, name));
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 30 -keyout ${key} -out ${certificate} -subj /CN=leashwise.internal -addext ${NAME}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  for (const [path, mode] of [
    [folder, 0o755],
    [key!, 0o644],
  ] as const)
    chmodSync(path, mode);
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--project', 'containers', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        CONTAINERS_CONF: settings,
        CONTAINERS_CERTIFICATES: folder,
        NODE_EXTRA_CA_CERTS: certificate,
      },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
